// Jobs that a call hands out: its reply has the job's id, and jobs/status shows the job.

/** The kind of such a job, in words for its caller. */
export const shownKinds = ["erasure", "folder-deletion", "organization-deletion"] as const;
export type ShownKind = (typeof shownKinds)[number];

export const jobStatuses = ["pending", "in_progress", "completed", "failed"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** How far a job has come. Without `total`, nobody knows how much there is. */
export interface Progress {
  done: number;
  total?: number;
}

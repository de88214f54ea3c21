// What the operator of the service sees beside the API: jobs, settings and mails.

export interface ShownJob {
  id: string;
  kind: string;
  /** What the jobs of this kind do. */
  does: string;
  /** What this one is about, such as "endpoint ep_1". */
  about?: string[];
  /** Why its last attempt failed, where this process can read the log. */
  reason?: string;
  state: string;
  /** ISO 8601. Of a failed job, when it failed. */
  dueAt: string;
  attempts: number;
  /** What it does, as jobs/status says. */
  summary?: string;
  progress?: { done: number; total?: number };
  /** `x-request-id` of the call that caused it. */
  causedBy?: string;
}

export interface ShownSetting {
  name: string;
  /** Absent: not known, or without effect. */
  value?: unknown;
  default: unknown;
  meaning: string;
  /** It has no effect on this machine. */
  isOnlyOnAws?: true;
}

export interface ShownMail {
  id: string;
  /** ISO 8601. */
  at: string;
  channel: string;
  from?: string;
  to?: string;
  subject?: string;
}

/** Each part is absent where this process cannot know it. A refusal is an ApiError. */
export interface Operations {
  jobs?: {
    /** The options of `npm run admin` that name the place of the jobs. */
    place: string;
    /** Those that are not done. */
    list(state?: string): Promise<ShownJob[]>;
    retry(id: string): Promise<void>;
  };
  settings?: () => Promise<ShownSetting[]>;
  mails?: { list(): Promise<ShownMail[]>; html(id: string): Promise<string | undefined> };
}

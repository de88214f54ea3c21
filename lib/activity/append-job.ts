import { hash } from "node:crypto";
import type { OutboxPayload } from "../jobs/outbox.ts";
import { type Job, newJob } from "../store/job.ts";
import type { OrganizationRef } from "../store/refs.ts";

/**
 * How old an entry must be before it is appended. Every entry is written within this time after its stamp. So no entry
 * with an earlier stamp can come later.
 */
export const settledMs = 15_000;

/** The job that writes an organization's activity log. Its id is a hash, so an organization has one writer. */
export function appendJob({ workspace, organizationId }: OrganizationRef): Job {
  const id = `activity-${hash("sha256", JSON.stringify([workspace, organizationId]), "base64url")}`;
  return { ...newJob("activity", workspace, { organizationId }, settledMs / 1_000), id };
}

/** The jobs of the activity logs to which an outbox job has added entries. */
export function logsToAppend({ workspace, payload }: Job): Job[] {
  const { activities = [] } = payload as unknown as OutboxPayload;
  return activities.map((organizationId) => appendJob({ workspace, organizationId }));
}

// The part of an erasure that appends to the activity log. It appends as the log's writer does, under the same
// condition, so the log still has one writer at a time.
import { appendActivities } from "../activity/append.ts";
import { appendJob, settledMs } from "../activity/append-job.ts";
import { inFlightSeconds } from "../call.ts";
import { commit } from "../jobs/commit.ts";
import * as Activity from "../store/activity/activity.ts";
import * as Entry from "../store/activity/activity-entry.ts";
import * as ErasureCount from "../store/erasure/erasure-count.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";
import type { Context } from "./context.ts";

/**
 * Appends the waiting entries. So the records that are read next include everything that was written before. Returns
 * false when it stopped at `until` (ms since the epoch).
 */
export async function appendWaiting(context: Context, organizationId: string, until: number): Promise<boolean> {
  const { workspace, lastAcceptedAt } = context;
  const organization = { workspace, organizationId };
  if (!(await Activity.head(organization)) && !(await wasConfigured(organization))) return true;
  await appendActivities(appendJob(organization), until);
  const { entries, next } = await Entry.oldest(organization, new Date(Date.now() - settledMs).toISOString());
  if (entries.length > 0) return false;
  // A call from before the erasure can have written an entry that is not old enough yet.
  const youngest = Date.parse(lastAcceptedAt) + inFlightSeconds * 1_000;
  context.isIncomplete ||= next !== undefined && Date.parse(next) <= youngest;
  return true;
}

/** Whether entries can wait for the first record of a log. The log can be off by now. */
async function wasConfigured(workspace: WorkspaceRef): Promise<boolean> {
  const { isEnabled, revision } = await Setting.get(workspace, "activity");
  return isEnabled || revision !== undefined;
}

/** Records, once for each erasure, that users were erased. The log does not name them. The next pass appends it. */
export async function recordErasure({ workspace, jobId }: Context, organizationId: string): Promise<void> {
  const name = { at: new Date().toISOString(), callId: jobId, first: 0, nonce: "erasure" };
  const event: Entry.WaitingActivity = { type: "user.delete", data: {} };
  await commit([
    ErasureCount.marking({ workspace, jobId }, `log of ${organizationId}`),
    Entry.activityEntryEntity.put(
      { workspace, organizationId, ...name },
      { ...name, events: JSON.stringify([event]) },
      "absent",
    ),
  ]);
}

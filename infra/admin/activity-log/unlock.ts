// Unsets `immutable` of a workspace's activity logs. Each chain gets a record of the unlock before any change that the
// unlock permits.
import { noted } from "../../../lib/activity/config.ts";
import { wakeLogsJob } from "../../../lib/activity/wake-logs.ts";
import { wake } from "../../../lib/jobs/wake.ts";
import type { WorkspaceRef } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";

/** Returns whether the logs were immutable. A repeated call only wakes the writers again. */
export async function unlockActivities(workspace: WorkspaceRef): Promise<boolean> {
  let wasImmutable = false;
  await Setting.change(workspace, "activity", undefined, (stored) => {
    wasImmutable = stored.immutable === true;
    const set = { immutable: false };
    return wasImmutable ? { ...set, ...noted({ ...stored, ...set }, true) } : {};
  });
  await wake([wakeLogsJob(workspace)]);
  return wasImmutable;
}

// Unsets `immutable` of a workspace's activity logs. Each chain gets a record of the unlock before any change that the
// unlock permits.

import { appendJob } from "../../../lib/activity/append-job.ts";
import { wake } from "../../../lib/jobs/wake.ts";
import * as Organization from "../../../lib/store/content/organization.ts";
import type { WorkspaceRef } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";

/** Organizations that are read and woken together. */
const organizationsTogether = 100;

/** Returns whether the logs were immutable. A repeated call only wakes the writers again. */
export async function unlockActivities(workspace: WorkspaceRef): Promise<boolean> {
  const at = new Date().toISOString();
  let wasImmutable = false;
  await Setting.change(workspace, "activity", undefined, ({ immutable, unlockedAt = [] }) => {
    wasImmutable = immutable === true;
    return wasImmutable ? { immutable: false, unlockedAt: [...unlockedAt, at] } : {};
  });
  let from: string | undefined;
  do {
    const page = await Organization.page(workspace, organizationsTogether, from);
    const jobs = page.items.map(({ organizationId }) => appendJob({ ...workspace, organizationId }));
    await wake(jobs);
    from = page.next;
  } while (from !== undefined);
  return wasImmutable;
}

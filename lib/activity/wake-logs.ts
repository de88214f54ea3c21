// When the setting of a workspace's logs has changed, every chain of the workspace records the change, also a chain
// that gets no other records. The workspace has one job for this, for any number of changes.
import { hash } from "node:crypto";
import * as Table from "../dynamodb/table.ts";
import { wake } from "../jobs/wake.ts";
import type { RunResult } from "../jobs/worker.ts";
import { activityChainEntity, type ChainHead } from "../store/activity/activity.ts";
import * as Organization from "../store/content/organization.ts";
import { type Job, newJob } from "../store/job.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";
import { appendJob } from "./append-job.ts";

/** Organizations that are read and woken together. */
const organizationsTogether = 100;

export function wakeLogsJob({ workspace }: WorkspaceRef): Job {
  const id = `activity-${hash("sha256", JSON.stringify([workspace]), "base64url")}`;
  return { ...newJob("activity", workspace, {}), id };
}

interface Place {
  /** The revision of the setting when the pass began. */
  revision?: number | undefined;
  from?: string | undefined;
}

export async function wakeLogs({ workspace, payload }: Job): Promise<RunResult> {
  const { revision, from } = payload as Place;
  const { revision: present } = await Setting.get({ workspace }, "activity");
  const { items, next } = await Organization.page({ workspace }, organizationsTogether, from);
  const organizations = items.map(({ organizationId }) => ({ workspace, organizationId }));
  const heads = await Table.getMany<ChainHead>(organizations.map((each) => activityChainEntity.key(each)));
  await wake(organizations.filter((_, index) => heads[index]).map((each) => appendJob(each)));
  const began = from === undefined ? present : revision;
  if (next !== undefined) return { again: { payload: { revision: began, from: next }, delaySeconds: 0 } };
  // A change during the pass has woken this job, which would go on where it was.
  return began === present ? "done" : { again: { payload: {}, delaySeconds: 0 } };
}

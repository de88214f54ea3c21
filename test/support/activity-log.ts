// Workspaces with an activity log, and its writer. The tests need `fakeDates`.
import { activitiesGet } from "../../functions/collaboration/activities-get.ts";
import { organizationsAdd } from "../../functions/content/organizations-add.ts";
import { activity } from "../../functions/workers/activity.ts";
import { activityconfigUpdate } from "../../functions/workspace/activityconfig-update.ts";
import { appendJob, settledMs } from "../../lib/activity/append-job.ts";
import type { ChainRecord } from "../../lib/activity/chain.ts";
import type { StoredActivity } from "../../lib/store/activity.ts";
import { type Credentials, must, newWorkspace } from "./call.ts";
import { later } from "./fake-dates.ts";
import { itemsOf } from "./scan.ts";

export const organizationId = "acme";

export const configure = (as: Credentials, activityServiceConfig: object) =>
  must(activityconfigUpdate, { as, data: { activityServiceConfig } });

/** A workspace whose log is on, with the organization `acme`. */
export async function newLog(activityServiceConfig: object = { isEnabled: true }): Promise<Credentials> {
  const as = await newWorkspace();
  await configure(as, activityServiceConfig);
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  return as;
}

/** Runs the writer when all that waits is old enough. */
export async function append({ apiKey: workspace }: Credentials) {
  later(settledMs / 1_000 + 1);
  return activity.run(appendJob({ workspace, organizationId }), Date.now() + 20_000);
}

/** The records of the chain as stored, in their order. */
export const chainOf = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ entity }) => entity === "activity") as unknown as StoredActivity[];

export const recordsOf = async (as: Credentials): Promise<ChainRecord[]> =>
  (await chainOf(as)).map(({ record }) => JSON.parse(record));

export const get = (as: Credentials, more: object = {}) =>
  must(activitiesGet, { as, data: { organizationId, ...more } });

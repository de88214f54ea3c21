// Workspaces with an activity log, and its writer. The tests need `fakeDates`.
import { expect } from "vitest";
import { activitiesAdd } from "../../functions/activity-log/activities-add.ts";
import { activitiesGet } from "../../functions/activity-log/activities-get.ts";
import { activityconfigUpdate } from "../../functions/activity-log/activityconfig-update.ts";
import { organizationsAdd } from "../../functions/organizations/organizations-add.ts";
import { activity } from "../../functions/workers/activity.ts";
import { appendJob, settledMs } from "../../lib/activity/append-job.ts";
import type { ItemResult } from "../../lib/schema/item-result.ts";
import type { StoredActivity } from "../../lib/store/activity/activity.ts";
import {
  type ChainRecord,
  canonicalJson,
  firstHash,
  hashOfRecord,
  hashOfText,
  type Texts,
} from "../../lib/store/activity/activity-chain.ts";
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
  // The chain begins with this setting.
  later(0.1);
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  // The clock stands still, and calls of the same time can have any order.
  later(0.1);
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

/** Adds activities. Returns the results of the items. */
export const addActivities = async (as: Credentials, ...activities: object[]): Promise<ItemResult[]> =>
  (await must(activitiesAdd, { as, data: { organizationId, activities } })).activities;

/** Computes the chain as anybody can, and fails where a record does not fit. Returns the records. */
export async function verified(as: Credentials): Promise<ChainRecord[]> {
  const chain = await chainOf(as);
  let previous = "";
  for (const [index, { record: json, hash, texts }] of chain.entries()) {
    const record = JSON.parse(json) as ChainRecord;
    expect(json).toBe(canonicalJson(record));
    expect(record.sequence).toBe(index + 1);
    expect(hash).toBe(hashOfRecord(previous || firstHash(record.chain), record));
    for (const [part, text] of Object.entries(JSON.parse(texts ?? "{}") as Texts))
      expect(hashOfText(text)).toBe(record.content[part as keyof Texts]);
    previous = hash;
  }
  return chain.map(({ record }) => JSON.parse(record));
}

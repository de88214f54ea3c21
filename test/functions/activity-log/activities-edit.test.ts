// activities/update and activities/delete.
import { describe, expect, it } from "vitest";
import { activitiesDelete } from "../../../functions/activity-log/activities-delete.ts";
import { activitiesUpdate } from "../../../functions/activity-log/activities-update.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { unlockActivities } from "../../../infra/admin/activity-log/unlock.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import {
  addActivities as add,
  append,
  chainOf,
  configure,
  get,
  newLog,
  organizationId,
  verified,
} from "../../support/activity-log.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { itemsOf } from "../../support/scan.ts";
import { issuesOf } from "../../support/workspace.ts";

fakeDates();

const base = { actionUser: { userId: "alice" }, eventType: "e", documentId: "d" };
const texts = { displayMessage: "first message", changes: { a: "first change" }, metadata: { m: "first metadata" } };
const activity = (activityId: string) => ({ activityId, ...base, ...texts });

const update = (as: Credentials, ...activities: object[]) =>
  must(activitiesUpdate, { as, data: { organizationId, activities } });
const remove = (as: Credentials, ...activityIds: string[]) =>
  must(activitiesDelete, { as, data: { organizationId, activityIds } });
const shownOf = async (as: Credentials) => (await get(as, { eventTypes: ["e"] })).activities;
const stored = async ({ apiKey }: Credentials) => JSON.stringify(await itemsOf(apiKey));

/** A log with the activity `a`: waiting, or in the chain. */
async function logWith(isRecorded: boolean): Promise<Credentials> {
  const as = await newLog();
  await add(as, activity("a"));
  if (isRecorded) await append(as);
  later(1);
  return as;
}

describe.each([
  ["that waits for its record", false],
  ["in the chain", true],
])("an activity %s", (_, isRecorded) => {
  it("is updated at once, part by part, and the former texts are gone", async () => {
    const as = await logWith(isRecorded);
    expect(await update(as, { activityId: "a", displayMessage: "second", metadata: { n: 2 } })).toEqual({
      a: { success: true, id: "a", message: "Updated." },
    });
    const updatedAt = new Date().toISOString();
    const ofService = { createdAt: expect.any(String), authTokenId: expect.any(String), updatedAt };
    const expected = { ...activity("a"), organizationId, ...ofService };
    expect(await shownOf(as)).toEqual([{ ...expected, displayMessage: "second", metadata: { n: 2 } }]);
    expect(await stored(as)).not.toMatch(/first (message|metadata)/);
    later(1);
    await update(as, { activityId: "a", displayMessage: "third" });
    await append(as);
    const updated = { ...expected, displayMessage: "third", metadata: { n: 2 }, updatedAt: expect.any(String) };
    expect(await shownOf(as)).toEqual([updated]);
    const records = await verified(as);
    expect(records.map(({ eventType, activityId, target }) => target ?? `${eventType} ${activityId}`)).toEqual([
      expect.stringContaining("activity.configure"),
      expect.stringContaining("organization.add"),
      "e a",
      "a",
      "a",
    ]);
    expect(records[3]).toMatchObject({ eventType: "activity.update", content: { metadata: expect.any(String) } });
    expect(Object.keys(records[2]?.content ?? {})).toEqual(["actionUser", "changes", "displayMessage", "metadata"]);
  });

  it("is deleted at once with its texts and its places in the lists; the chain keeps its record", async () => {
    const as = await logWith(isRecorded);
    await update(as, { activityId: "a", displayMessage: "first message, again" });
    later(1);
    expect(await remove(as, "a", "b")).toEqual({
      a: { success: true, id: "a", message: "Deleted." },
      b: { success: false, id: "b", code: "not-found", message: "The activity does not exist." },
    });
    expect(await shownOf(as)).toEqual([]);
    for (const filter of [{}, { userIds: ["alice"] }, { documentIds: ["d"] }])
      expect(
        (await get(as, { ...filter, before: Date.now() })).activities.filter(
          (each: { activityId: string }) => each.activityId === "a",
        ),
      ).toEqual([]);
    expect(await remove(as, "a")).toMatchObject({ a: { code: "not-found" } });
    expect(await update(as, { activityId: "a", displayMessage: "x" })).toMatchObject({ a: { code: "not-found" } });
    await append(as);
    expect(await stored(as)).not.toMatch(/first (message|change|metadata)/);
    expect(await stored(as)).not.toContain("alice");
    expect((await verified(as)).slice(2)).toEqual([
      expect.objectContaining({ activityId: "a", content: expect.objectContaining({ changes: expect.any(String) }) }),
      expect.objectContaining({ eventType: "activity.update", target: "a" }),
      expect.objectContaining({ eventType: "activity.delete", target: "a", content: {} }),
    ]);
    expect(await add(as, activity("a"))).toMatchObject([{ code: "already-exists" }]);
  });

  it("takes updates of several calls at once, and the parts of each", async () => {
    const as = await logWith(isRecorded);
    await Promise.all([
      update(as, { activityId: "a", displayMessage: "one" }),
      update(as, { activityId: "a", changes: { two: 2 } }),
      update(as, { activityId: "a", metadata: { three: 3 } }),
    ]);
    expect(await shownOf(as)).toMatchObject([{ displayMessage: "one", changes: { two: 2 }, metadata: { three: 3 } }]);
    await append(as);
    expect(await verified(as)).toHaveLength(6);
  });

  it("has no more texts than an item takes, after any number of updates", async () => {
    const as = await logWith(isRecorded);
    const long = (character: string) => ({ one: character.repeat(32_000), two: character.repeat(32_000) });
    await update(as, { activityId: "a", displayMessage: '"'.repeat(40_000) });
    await update(as, { activityId: "a", changes: long('"') });
    const reply = await update(as, { activityId: "a", metadata: long("\\") });
    expect(reply).toMatchObject({ a: { success: false, code: "beyond-limit" } });
    expect(await shownOf(as)).toMatchObject([{ changes: long('"'), metadata: texts.metadata }]);
    await update(as, { activityId: "a", changes: {}, metadata: long("\\") });
    await append(as);
    expect(await verified(as)).toHaveLength(6);
  });

  it("is deleted by one of several calls, and never shown after it", async () => {
    const as = await logWith(isRecorded);
    const results = await Promise.all([
      ...Array.from({ length: 3 }, () => remove(as, "a")),
      update(as, { activityId: "a", displayMessage: "late" }),
      append(as),
    ]);
    expect(results.slice(0, 3).filter(({ a }) => a.success)).toHaveLength(1);
    expect(await shownOf(as)).toEqual([]);
    await append(as);
    expect((await verified(as)).filter(({ eventType }) => eventType === "activity.delete")).toHaveLength(1);
  });
});

it("a recorded event is updated and deleted by its id", async () => {
  const as = await newLog();
  await append(as);
  const [{ activityId, changes }] = (await get(as)).activities;
  expect(changes).toEqual({ organizationId });
  expect(await update(as, { activityId, displayMessage: "The organization was added." })).toMatchObject({
    [activityId]: { success: true },
  });
  expect((await get(as, { pageSize: 1 })).activities).toMatchObject([
    { displayMessage: "The organization was added.", changes },
  ]);
  expect(await remove(as, activityId)).toMatchObject({ [activityId]: { success: true } });
  await append(as);
  expect((await get(as, { eventTypes: ["organization.add"] })).activities).toEqual([]);
  const [, , updated, deleted] = await verified(as);
  expect([updated?.target, deleted?.target]).toEqual([activityId, activityId]);
  // The records of the two changes are no activities themselves.
  for (const id of [updated?.activityId, deleted?.activityId])
    expect(await remove(as, id as string)).toMatchObject({ [id as string]: { code: "not-found" } });
});

it("1,000 activities are updated and deleted by one call each, and each change is recorded", async () => {
  const as = await newLog();
  const ids = Array.from({ length: 1_000 }, (_, index) => `a${index}`);
  await add(as, ...ids.map((activityId) => ({ activityId, ...base })));
  await append(as);
  const updated = await update(as, ...ids.map((activityId) => ({ activityId, displayMessage: "m" })));
  expect(Object.values(updated).every((each) => (each as { success: boolean }).success)).toBe(true);
  later(1);
  const deleted = await remove(as, ...ids);
  expect(Object.values(deleted).every((each) => (each as { success: boolean }).success)).toBe(true);
  await append(as);
  const records = await verified(as);
  expect(records).toHaveLength(3_002);
  const changes = records.slice(1_002);
  for (const [type, part] of [
    ["activity.update", changes.slice(0, 1_000)],
    ["activity.delete", changes.slice(1_000)],
  ] as const) {
    expect(part.every(({ eventType }) => eventType === type)).toBe(true);
    expect(new Set(part.map(({ target }) => target)).size).toBe(1_000);
  }
  expect((await chainOf(as)).filter(({ texts, present }) => texts || present)).toHaveLength(2);
});

describe("FAILED_PRECONDITION", () => {
  it.each([
    ["update", activitiesUpdate as unknown as Endpoint, { activities: [{ activityId: "a", displayMessage: "x" }] }],
    ["delete", activitiesDelete as unknown as Endpoint, { activityIds: ["a"] }],
  ])(
    "for %s while the logs are immutable, until an operator unlocks them; each chain records that",
    async (_, endpoint, data) => {
      const as = await logWith(true);
      await configure(as, { immutable: true });
      const { error } = await call(endpoint, { as, data: { organizationId, ...data } });
      expect(error).toMatchObject({
        status: "FAILED_PRECONDITION",
        message: expect.stringContaining("activityServiceConfig.immutable"),
      });
      expect(await shownOf(as)).toMatchObject([texts]);
      expect(await unlockActivities({ workspace: as.apiKey })).toBe(true);
      expect(await unlockActivities({ workspace: as.apiKey })).toBe(false);
      await must(endpoint, { as, data: { organizationId, ...data } });
      await append(as);
      expect((await verified(as)).slice(3).map(({ eventType }) => eventType)).toEqual([
        "activity.configure",
        "activity.unlock",
        `activity.${_}`,
      ]);
      expect((await get(as, { eventTypes: ["activity.unlock"] })).activities).toHaveLength(1);
      await configure(as, { immutable: true });
      later(1);
      await unlockActivities({ workspace: as.apiKey });
      await append(as);
      expect((await verified(as)).at(-1)).toMatchObject({ eventType: "activity.unlock" });
    },
  );
});

it("a chain has the unlocks after its first activity, and begins with the setting after the others", async () => {
  const as = await newWorkspace();
  await configure(as, { isEnabled: true, immutable: true });
  await unlockActivities({ workspace: as.apiKey });
  await configure(as, { immutable: true });
  later(1);
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  later(1);
  await add(as, activity("a"));
  later(1);
  await unlockActivities({ workspace: as.apiKey });
  later(1);
  await update(as, { activityId: "a", displayMessage: "second" });
  await append(as);
  expect((await verified(as)).map(({ eventType }) => eventType)).toEqual([
    "activity.configure",
    "organization.add",
    "e",
    "activity.unlock",
    "activity.update",
  ]);
});

it("leaves the records of changes of the log's setting as they are", async () => {
  const as = await newLog({ isEnabled: true, immutable: true });
  await append(as);
  await unlockActivities({ workspace: as.apiKey });
  later(1);
  await append(as);
  const types = ["activity.configure", "activity.unlock"];
  const before = await get(as, { eventTypes: types });
  const ids = before.activities.map(({ activityId }: { activityId: string }) => activityId);
  expect(before.activities.map(({ eventType }: { eventType: string }) => eventType).sort()).toEqual(types);
  const refused = { success: false, code: "immutable", message: expect.stringContaining("the log's own setting") };
  const all = Object.fromEntries(ids.map((id: string) => [id, { ...refused, id }]));
  expect(await update(as, ...ids.map((activityId: string) => ({ activityId, changes: { number: 9 } })))).toEqual(all);
  expect(await remove(as, ...ids)).toEqual(all);
  expect(await get(as, { eventTypes: types })).toEqual(before);
});

describe("INVALID_ARGUMENT", () => {
  it("for a missing organization", async () => {
    const as = await newWorkspace();
    const { error } = await call(activitiesDelete, { as, data: { organizationId, activityIds: ["a"] } });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT" });
  });

  it.each([
    ["nothing to update", activitiesUpdate, { activities: [{ activityId: "a" }] }, ["activities.0"]],
    ["a missing id", activitiesUpdate, { activities: [{ displayMessage: "m" }] }, ["activities.0.activityId"]],
    ["no ids", activitiesDelete, { activityIds: [] }, ["activityIds"]],
    ["an unknown field of a deletion", activitiesDelete, { activityIds: ["a"], documentId: "d" }, ["documentId"]],
  ])("for %s", async (_, endpoint, data, paths) => {
    const as = await newWorkspace();
    expect(await issuesOf(endpoint, as, { organizationId, ...data })).toEqual(paths);
  });
});

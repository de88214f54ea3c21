import { describe, expect, it } from "vitest";
import { activitiesAdd } from "../../../functions/activity-log/activities-add.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import type { ItemResult } from "../../../lib/schema/item-result.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import type { Texts } from "../../../lib/store/activity/activity-chain.ts";
import { contentOf } from "../../../lib/store/activity/activity-chain.ts";
import {
  addActivities as add,
  append,
  chainOf,
  configure,
  get,
  newLog,
  organizationId,
  recordsOf,
  verified,
} from "../../support/activity-log.ts";
import { call, must, newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { issuesOf, oddIds } from "../../support/workspace.ts";

fakeDates();

const full = {
  activityId: "export-7",
  documentId: "plan",
  actionUser: { userId: "alice", name: "Alice" },
  eventType: "plan.exported",
  displayMessage: "Alice exported the plan.",
  changes: { format: "pdf" },
  metadata: { pages: 12, "": [null, "ä"] },
  createdAt: "2020-01-31T12:00:00.000Z",
};
const named = (activityId: string, more: object = {}) => ({
  activityId,
  actionUser: { userId: "u" },
  eventType: "e",
  ...more,
});

describe("OK", () => {
  it("shows an activity at once, as it was given, and the same when it is in the chain", async () => {
    const as = await newLog();
    expect(await add(as, full)).toEqual([{ success: true, id: "export-7", message: "Added." }]);
    // So a log tells which token has written what.
    const authTokenId = AuthToken.idOf(AuthToken.hashOf(as.authToken));
    const shown = { ...full, organizationId, authTokenId };
    const filters = [{}, { documentIds: ["plan"] }, { userIds: ["alice"] }, { eventTypes: ["plan.exported"] }];
    for (const filter of filters) expect((await get(as, filter)).activities).toEqual([shown]);
    await append(as);
    for (const filter of filters) expect((await get(as, { ...filter, order: "oldest" })).activities[0]).toEqual(shown);
    const record = (await recordsOf(as)).at(-1);
    expect(record).toMatchObject({
      sequence: 3,
      activityId: "export-7",
      eventType: "plan.exported",
      documentId: "plan",
      authTokenId,
    });
    const texts = JSON.parse((await chainOf(as)).at(-1)?.texts ?? "{}") as Texts;
    expect(record?.content).toEqual(contentOf(texts));
    expect(texts.displayMessage?.text).toBe(full.displayMessage);
    await verified(as);
  });

  it("makes missing ids, and uses the time of the call", async () => {
    const as = await newLog();
    const [one, other] = (await add(
      as,
      { ...named("x"), activityId: undefined },
      { ...named("x"), activityId: null },
    )) as [ItemResult, ItemResult];
    expect(new Set([one.id, other.id]).size).toBe(2);
    const { activities } = await get(as);
    expect(activities.map(({ activityId }: { activityId: string }) => activityId).sort()).toEqual(
      [one.id, other.id].sort(),
    );
    expect(activities[0].createdAt).toBe(new Date().toISOString());
  });

  it("keeps the order of the calls and of their items in the chain, whatever their times", async () => {
    const as = await newLog();
    const ids = Array.from({ length: 120 }, (_, index) => `a${index}`);
    later(1);
    await add(as, ...ids.slice(0, 100).map((id, index) => named(id, { createdAt: 1_000_000 - index })));
    later(1);
    await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId: "d" }] } });
    later(1);
    await add(as, ...ids.slice(100).map((id) => named(id)));
    await append(as);
    const records = await recordsOf(as);
    expect(
      records.map(({ activityId, eventType }) =>
        activityId.startsWith("a") && !activityId.startsWith("act_") ? activityId : eventType,
      ),
    ).toEqual(["activity.configure", "organization.add", ...ids.slice(0, 100), "document.add", ...ids.slice(100)]);
    await verified(as);
  });

  it("accepts any id, also one of another log's events", async () => {
    const as = await newLog();
    const ids = [...oddIds, "act_000000000001_01234567"];
    for (const result of await add(
      as,
      ...ids.map((id) => named(id, { documentId: id, eventType: id, actionUser: { userId: id } })),
    )) {
      expect(result).toMatchObject({ success: true });
    }
    await append(as);
    for (const id of ids) {
      const filters = { documentIds: [id], userIds: [id], eventTypes: [id] };
      const { activities } = await get(as, filters);
      expect(activities).toEqual([expect.objectContaining({ activityId: id })]);
    }
  });

  it("adds the largest activities, 1,000 in a call and those that fill a page", async () => {
    const as = await newLog();
    const many = Array.from({ length: 1_000 }, (_, index) => named(`m${index}`, { documentId: "d" }));
    expect((await add(as, ...many)).filter(({ success }) => success)).toHaveLength(1_000);
    const text = '"'.repeat(30_000);
    const large = Array.from({ length: 40 }, (_, index) =>
      named(`l${index}`, { displayMessage: text, metadata: { text } }),
    );
    for (const part of [large.slice(0, 20), large.slice(20)])
      expect((await add(as, ...part)).filter(({ success }) => success)).toHaveLength(20);
    expect(await append(as)).toBe("done");
    expect(await recordsOf(as)).toHaveLength(1_042);
    await verified(as);
    expect((await get(as, { pageSize: 100 })).activities.length).toBeGreaterThan(5);
  });
});

describe("already-exists", () => {
  it("for an id that the log has, waiting, recorded or deleted", async () => {
    const as = await newLog();
    await add(as, named("a"));
    const [taken, free] = await add(as, named("a", { displayMessage: "Other" }), named("b"));
    expect(taken).toMatchObject({ success: false, id: "a", code: "already-exists" });
    expect(free).toMatchObject({ success: true, id: "b" });
    await append(as);
    expect((await add(as, named("a")))[0]).toMatchObject({ code: "already-exists" });
    expect((await get(as, { eventTypes: ["e"] })).activities).toHaveLength(2);
  });

  it("for the id of an event of this log", async () => {
    const as = await newLog();
    await append(as);
    const { activityId } = (await get(as)).activities[0];
    expect((await add(as, named(activityId)))[0]).toMatchObject({ code: "already-exists" });
    const next = activityId.replace("01_", "99_");
    expect((await add(as, named(next)))[0]).toMatchObject({ code: "already-exists" });
  });

  it("for all but one of the calls that add an id at once", async () => {
    const as = await newLog();
    const results = (await Promise.all(Array.from({ length: 5 }, () => add(as, named("a"))))).flat();
    expect(results.filter(({ success }) => success)).toHaveLength(1);
    await append(as);
    expect((await recordsOf(as)).filter(({ eventType }) => eventType === "e")).toHaveLength(1);
  });
});

describe("FAILED_PRECONDITION", () => {
  it("while the log is off; what waited is recorded and readable", async () => {
    const as = await newLog();
    await add(as, named("a"));
    later(1);
    await configure(as, { isEnabled: false });
    const { error } = await call(activitiesAdd, { as, data: { organizationId, activities: [named("b")] } });
    expect(error).toMatchObject({
      status: "FAILED_PRECONDITION",
      message: expect.stringContaining("activityServiceConfig.isEnabled"),
    });
    await append(as);
    const { activities } = await get(as, { order: "oldest" });
    expect(activities.map(({ eventType }: { eventType: string }) => eventType)).toEqual([
      "activity.configure",
      "organization.add",
      named("a").eventType,
      "activity.configure",
    ]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it("for a missing organization", async () => {
    const as = await newWorkspace();
    await configure(as, { isEnabled: true });
    const { error } = await call(activitiesAdd, { as, data: { organizationId, activities: [named("a")] } });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT" });
  });

  it.each([
    ["no activities", [], ["activities"]],
    ["a missing user and type", [{ activityId: "a" }], ["activities.0.actionUser", "activities.0.eventType"]],
    ["a type of the log's own", [named("a", { eventType: "activity.delete" })], ["activities.0.eventType"]],
    ...["soon", "2026-02-30", 8.64e15].map((createdAt): [string, object[], string[]] => [
      `the invalid time ${createdAt}`,
      [named("a", { createdAt })],
      ["activities.0.createdAt"],
    ]),
    [
      "changes that are no object",
      [named("a", { changes: [1], metadata: "m" })],
      ["activities.0.changes", "activities.0.metadata"],
    ],
    ["a long text", [named("a", { displayMessage: "m".repeat(65_537) })], ["activities.0.displayMessage"]],
    [
      "a large activity",
      [named("a", { displayMessage: "m".repeat(65_000), metadata: { a: "m".repeat(65_500), b: "x".repeat(600) } })],
      ["activities.0"],
    ],
  ])("for %s", async (_, activities, paths) => {
    const as = await newWorkspace();
    expect(await issuesOf(activitiesAdd, as, { organizationId, activities })).toEqual(paths);
  });
});

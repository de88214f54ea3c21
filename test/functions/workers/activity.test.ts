import { describe, expect, it } from "vitest";
import { activitiesDelete } from "../../../functions/activity-log/activities-delete.ts";
import { activitiesUpdate } from "../../../functions/activity-log/activities-update.ts";
import { activityconfigUpdate } from "../../../functions/activity-log/activityconfig-update.ts";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { activity } from "../../../functions/workers/activity.ts";
import { appendJob, settledMs } from "../../../lib/activity/append-job.ts";
import type { StoredActivity } from "../../../lib/store/activity/activity.ts";
import {
  canonicalJson,
  firstHash,
  hashOfRecord,
  hashOfText,
  type Texts,
} from "../../../lib/store/activity/activity-chain.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { addActivities, verified } from "../../support/activity-log.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { runJobs } from "../../support/run-jobs.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();

const organizationId = "acme";

async function withLog(activityServiceConfig: object = { isEnabled: true }): Promise<Credentials> {
  const as = await newWorkspace();
  await must(activityconfigUpdate, { as, data: { activityServiceConfig } });
  later(0.02);
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  return as;
}

async function add(as: Credentials, ...documentIds: string[]): Promise<void> {
  later(0.02);
  await must(documentsAdd, {
    as,
    data: { organizationId, documents: documentIds.map((documentId) => ({ documentId })) },
  });
}

async function append({ apiKey: workspace }: Credentials) {
  later(settledMs / 1_000 + 1);
  return activity.run(appendJob({ workspace, organizationId }), Date.now() + 20_000);
}

const logOf = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ entity }) => entity === "activity") as unknown as StoredActivity[];

describe("the writer", () => {
  it("appends the events in the order of the calls, and removes what has waited", async () => {
    const as = await withLog();
    for (const documentId of ["a", "b", "c"]) await add(as, documentId);
    expect(await append(as)).toBe("done");
    const records = (await logOf(as)).map(({ record }) => JSON.parse(record));
    expect(records.map(({ sequence, eventType, documentId }) => [sequence, eventType, documentId])).toEqual([
      [1, "activity.configure", undefined],
      [2, "organization.add", undefined],
      [3, "document.add", "a"],
      [4, "document.add", "b"],
      [5, "document.add", "c"],
    ]);
    const waiting = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "activity-entry");
    expect(waiting).toEqual([]);
  });

  it("makes a chain that anyone can compute", async () => {
    const as = await withLog();
    await add(as, "a", "b");
    await append(as);
    let previous = "";
    for (const { record, hash, texts } of await logOf(as)) {
      const parsed = JSON.parse(record);
      expect(record).toBe(canonicalJson(parsed));
      expect(hash).toBe(hashOfRecord(previous || firstHash(parsed.chain), parsed));
      const { changes } = JSON.parse(texts ?? "{}") as Texts;
      expect(changes && hashOfText(changes)).toBe(parsed.content.changes);
      previous = hash;
    }
  });
});

describe("the largest calls", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => index);
  const results = (reply: object) => Object.values(reply) as { success: boolean }[];

  /** A log, and a webhook endpoint that wants every event too. */
  async function withAll(): Promise<Credentials> {
    const as = await withLog();
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: ["*"] });
    later(1);
    return as;
  }

  it("are recorded whole: 1,000 users, 1,000 annotations and one with 200 replies", async () => {
    const as = await withAll();
    const users = many(1_000).map((index) => ({ userId: `u${index}` }));
    expect(results(await must(usersAdd, { as, data: { organizationId, users } })).every(({ success }) => success)).toBe(
      true,
    );
    await add(as, "d");
    const where = { organizationId, documentId: "d", location: { id: "a" } };
    const comments = many(1_000).map((index) => ({
      annotationId: `a${index}`,
      from: { userId: "ann" },
      comments: [{ commentId: "c", from: { userId: "bob" }, text: "Text" }],
    }));
    later(1);
    await must(documentsDataAdd, { as, data: { ...where, comments } });
    const replies = many(200).map((index) => ({ commentId: `c${index}`, from: { userId: `u${index % 70}` } }));
    later(1);
    await must(documentsDataAdd, {
      as,
      data: { ...where, comments: [{ annotationId: "large", from: { userId: "ann" }, comments: replies }] },
    });
    expect(await append(as)).toBe("done");
    const count = Map.groupBy(await verified(as), ({ eventType }) => eventType);
    expect(count.get("user.add")).toHaveLength(1_000);
    expect(count.get("comment_annotation.add")).toHaveLength(1_001);
    expect(count.get("comment.add")).toHaveLength(1_200);
  });

  it("have names of 64 KB, which the log keeps or cuts", async () => {
    const as = await withAll();
    const names = ["語".repeat(21_845), '"'.repeat(48_000), '"'.repeat(65_536), "\u0001".repeat(65_536)];
    const documents = names.map((documentName, index) => ({ documentId: `d${index}`, documentName }));
    await must(documentsAdd, { as, data: { organizationId, documents } });
    expect(await append(as)).toBe("done");
    const changes = (await logOf(as)).slice(2).map(({ texts }) => JSON.parse(JSON.parse(texts ?? "").changes.text));
    expect(changes.map(({ documentName }) => documentName.length)).toEqual([21_845, 48_000, 1_001, 1_001]);
    await verified(as);
  });
});

describe("an organization", () => {
  it("begins a new chain when it is added again, without entries of its former life", async () => {
    const as = await withLog();
    await add(as, "a");
    await append(as);
    const chainIn = async () => JSON.parse((await logOf(as))[0]?.record ?? "{}").chain;
    const former = await chainIn();
    await add(as, "b");
    await addActivities(as, { activityId: "own", actionUser: { userId: "ann" }, eventType: "e" });
    await must(organizationsDelete, { as, data: { organizationId } });
    await append(as);
    await runJobs(as);
    const left = (await itemsOf(as.apiKey)).filter(({ entity }) => /activ/.test(String(entity)));
    expect(left).toEqual([]);
    await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
    await add(as, "c");
    await append(as);
    expect((await verified(as)).map(({ documentId = "" }) => documentId)).toEqual(["", "", "c"]);
    expect(await chainIn()).not.toBe(former);
  });

  it("leaves nothing of a log when it is deleted: waiting, recorded, updated and deleted activities", async () => {
    const as = await withLog();
    const own = (activityId: string) => ({
      activityId,
      actionUser: { userId: "ann" },
      eventType: "e",
      documentId: "d",
    });
    await addActivities(as, own("a"), own("b"), own("c"));
    await append(as);
    await must(activitiesDelete, { as, data: { organizationId, activityIds: ["a"] } });
    const activities = [{ activityId: "b", displayMessage: "m" }];
    await must(activitiesUpdate, { as, data: { organizationId, activities } });
    await addActivities(as, own("waits"), own("deleted"));
    await must(activitiesDelete, { as, data: { organizationId, activityIds: ["deleted"] } });
    await must(organizationsDelete, { as, data: { organizationId } });
    await runJobs(as);
    expect((await itemsOf(as.apiKey)).filter(({ entity }) => /activ/.test(String(entity)))).toEqual([]);
  });
});

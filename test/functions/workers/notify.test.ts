import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { notificationsConfigSet } from "../../../functions/notifications/notifications-config-set.ts";
import { notificationsRead } from "../../../functions/notifications/notifications-read.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { notify } from "../../../functions/workers/notify.ts";
import { purge } from "../../../functions/workers/purge.ts";
import type { Key } from "../../../lib/dynamodb/key.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { inboxEntryEntity } from "../../../lib/store/notifications/inbox.ts";
import { type Command, interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import { later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import * as n from "../../support/notifications.ts";
import { storedOf } from "../../support/refusal.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { addDocuments, give, oddIds, onDocument, onOrganization, organizationId } from "../../support/workspace.ts";

afterEach(() => void vi.restoreAllMocks());

const users = (...ids: string[]) => ids.map((userId) => ({ userId }));
const setConfig = (as: Credentials, documentIds: string[], userIds: string[], inbox: string) =>
  must(notificationsConfigSet, { as, data: { organizationId, documentIds, userIds, config: { inbox } } });
const deleteDocument = (as: Credentials) => must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
const cutPages =
  (size: number) =>
  ({ constructor: { name }, input }: Command) => {
    if (name === "QueryCommand" && input.Limit) input.Limit = Math.min(size, input.Limit);
  };

/** The keys of all items of notifications: entries, read marks, lists of recipients, contents, ids. */
const notificationKeys = async (as: Credentials) =>
  Object.keys(await storedOf(as)).filter((key) => /#U[NRA]#|#N#|NOTE|OWNER/.test(key));

async function runPurge(as: Credentials): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ids = (await jobsOf(as, "purge")).map(({ id }) => id);
  for (let pass = 0; pass < 2; pass++) {
    await deliver(purge, ids);
    later(61);
  }
  vi.useRealTimers();
}

describe("recipients", () => {
  it("are all users with a profile or a grant, and the named users, each once", async () => {
    const as = await n.newDocument(["ann", "u1", ...oddIds]);
    await addDocuments(as, undefined, "other");
    await n.addMembers(as, ["expired"], { expiresAt: 1 });
    const add = (documentId: string, userId: string) =>
      must(usersAdd, { as, data: { organizationId, documentId, users: users(userId) } });
    for (const [documentId, userId] of [["d", "here"] as const, ["other", "elsewhere"] as const])
      await add(documentId, userId);
    await give(as, "member", onOrganization());
    await give(as, "guest", onDocument("d"));
    await give(as, "elsewhere-guest", onDocument("other"));
    await must(usersDelete, { as, data: { organizationId, userIds: ["u1"] } });
    await n.send(as, { notifyUsers: users("ann", "outsider", "ann") });
    const reached = [
      "ann",
      "expired",
      "here",
      "elsewhere",
      "member",
      "guest",
      "elsewhere-guest",
      "outsider",
      ...oddIds,
    ];
    expect(await n.recipientsAmong(as, ["u1", "nobody", ...reached])).toEqual(reached);
    await n.send(as, { verifyUserPermissions: true });
    const ids = ["expired", "here", "elsewhere", "member", "guest", "elsewhere-guest"];
    for (const id of ids) {
      const isAllowed = ["here", "member", "guest"].includes(id);
      expect((await n.inboxOf(as, id)).notifications).toHaveLength(isAllowed ? 2 : 1);
    }
  });

  it("are only the named users when notifyAll is false, and nobody when no user is named", async () => {
    const as = await n.newDocument(["u1", "u2"]);
    await n.send(as, { notifyAll: false, notifyUsers: users("u2", "outsider") });
    await n.send(as, { notifyAll: false });
    expect(await n.recipientsAmong(as, ["u1", "u2", "outsider"])).toEqual(["u2", "outsider"]);
  });

  it("depend on preferences: the document's, then the organization's, then the default ALL", async () => {
    const levels = ["ALL", "MINE", "NONE", undefined] as const;
    const cases = levels.flatMap((own) => levels.map((general) => ({ own, general, id: `${own}-${general}` })));
    const ids = ["named", "member"].flatMap((kind) => cases.map(({ id }) => `${kind}-${id}`));
    const as = await n.newDocument(ids);
    for (const level of ["ALL", "MINE", "NONE"]) {
      const of = (field: "own" | "general") => ids.filter((_, index) => cases[index % cases.length]?.[field] === level);
      await setConfig(as, ["d"], of("own"), level);
      await setConfig(as, [], of("general"), level);
    }
    await n.send(as, { notifyUsers: users(...ids.filter((id) => id.startsWith("named"))) });
    const expected = ids.filter((id, index) => {
      const { own, general } = cases[index % cases.length] as (typeof cases)[number];
      const level = own ?? general ?? "ALL";
      return level === "ALL" || (level === "MINE" && id.startsWith("named"));
    });
    expect(await n.recipientsAmong(as, ids)).toEqual(expected);
  });

  it("have the default preference after they are deleted and added again", async () => {
    const as = await n.newDocument(["one", "other"]);
    await setConfig(as, ["d"], ["one"], "NONE");
    await setConfig(as, [], ["other"], "NONE");
    await must(usersDelete, { as, data: { organizationId, userIds: ["one", "other"] } });
    await n.addMembers(as, ["one", "other"]);
    await n.send(as);
    expect(await n.recipientsAmong(as, ["one", "other"])).toEqual(["one", "other"]);
  });
});

describe("steps", () => {
  it("give each member one notification over many pages and runs", async () => {
    const ids = n.numbered(130);
    const as = await n.newDocument(ids);
    await n.add(as, { notifyUsers: users("u7", "outsider") });
    interceptStore(cutPages(3));
    const [job] = await jobsOf(as, "notify");
    let runs = 0;
    for (; (await jobsOf(as, "notify")).length > 0; runs++) await deliver(notify, [job?.id as string], 9_900);
    expect(runs).toBeGreaterThan(3);
    vi.restoreAllMocks();
    // Read from the table: 131 concurrent calls would depend on the speed of the machine.
    const entries = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === inboxEntryEntity.name);
    expect(entries.map(({ userId }) => userId).sort()).toEqual([...ids, "outsider"].sort());
  });

  it("make one read for each shard, two of the document, and one write for every 25 members", async () => {
    const as = await n.newDocument(n.numbered(60));
    await n.add(as);
    const [job] = await jobsOf(as, "notify");
    const calls: Record<string, number> = {};
    interceptStore(({ constructor: { name } }) => {
      calls[name] = (calls[name] ?? 0) + 1;
    });
    await notify.run(job as never, Date.now() + 60_000);
    // Reads: the notification and its document in two batches, preferences, 16 shards, and at the end the document.
    expect(calls).toEqual({
      BatchGetCommand: 3,
      QueryCommand: 1 + 16 + 2,
      BatchWriteCommand: 1 + Math.ceil(60 / 25),
      GetCommand: 1,
    });
  });
});

describe("when the document is deleted", () => {
  it("before the delivery, nobody is notified, and no items remain", async () => {
    const as = await n.newDocument(["u"]);
    await n.add(as);
    await deleteDocument(as);
    await n.runNotify(as);
    expect((await n.inboxOf(as, "u")).notifications).toEqual([]);
    await runPurge(as);
    expect(await notificationKeys(as)).toEqual([]);
  });

  it("and purged during the delivery, the entries that the delivery wrote are deleted", async () => {
    const as = await n.newDocument(n.numbered(40));
    await n.add(as);
    let isDeleted = false;
    interceptStore(async ({ constructor: { name } }) => {
      if (name !== "BatchWriteCommand" || isDeleted) return;
      isDeleted = true;
      await deleteDocument(as);
      await runPurge(as);
    });
    await n.runNotify(as);
    vi.restoreAllMocks();
    expect(isDeleted).toBe(true);
    expect(await notificationKeys(as)).toEqual([]);
  });

  it("after the delivery, notifications are hidden immediately, and purged with lists and read marks", async () => {
    const as = await n.newDocument(n.numbered(30));
    await n.send(as, { notificationId: "n" });
    await must(notificationsRead, { as, data: { organizationId, userId: "u1", notificationIds: ["n"] } });
    await deleteDocument(as);
    expect(await n.inboxOf(as, "u0")).toMatchObject({ notifications: [], unreadCount: 0, nextPageToken: null });
    await runPurge(as);
    expect(await notificationKeys(as)).toEqual([]);
  });
});

it("delivers under the new id of a renamed document", async () => {
  const as = await n.newDocument(["u"]);
  await n.add(as);
  const organization = { workspace: as.apiKey, organizationId };
  const document = (await Document.get({ ...organization, documentId: "d" })) as Document.Document;
  await commit(Document.renaming(organization, document, "d2", undefined));
  await n.runNotify(as);
  expect((await n.inboxOf(as, "u")).notifications).toMatchObject([{ documentId: "d2" }]);
});

it("fails, so that it runs again, when the document is missed at each of five reads", async () => {
  const as = await n.newDocument(["u"]);
  await n.add(as);
  const [job] = await jobsOf(as, "notify");
  const { pk, sk } = Document.documentEntity.key({ workspace: as.apiKey, organizationId, documentId: "d" });
  let reads = 0;
  let missed = 0;
  interceptStore(({ constructor: { name }, input }) => {
    // A batch of one key is a GetItem.
    if (name !== "BatchGetCommand" && name !== "GetCommand") return;
    const tables: { Keys: Key[] }[] = Object.values(input.RequestItems ?? { table: { Keys: [input.Key] } });
    const key = tables[0]?.Keys.find((each) => each.pk === pk && each.sk === sk);
    // Each read that misses the document is followed by one that finds out whether it is deleted.
    if (!key || reads++ % 2 === 1) return;
    key.sk = "missed";
    missed++;
  });
  await expect(notify.run(job as never, Date.now() + 60_000)).rejects.toThrow(
    "The document changed at each of 5 reads.",
  );
  expect(missed).toBe(5);
});

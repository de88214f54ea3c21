import { afterEach, describe, expect, it, vi } from "vitest";
import { usersAdd } from "../../../functions/access/users-add.ts";
import { usersDelete } from "../../../functions/access/users-delete.ts";
import { notificationsConfigSet } from "../../../functions/collaboration/notifications-config-set.ts";
import { notificationsRead } from "../../../functions/collaboration/notifications-read.ts";
import { documentsDelete } from "../../../functions/content/documents-delete.ts";
import { notify } from "../../../functions/workers/notify.ts";
import { purge } from "../../../functions/workers/purge.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import * as Document from "../../../lib/store/document.ts";
import { type Command, interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import * as n from "../../support/notifications.ts";
import { storedOf } from "../../support/refusal.ts";
import { deliver } from "../../support/run-worker.ts";
import { oddIds, organizationId } from "../../support/workspace.ts";

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

/** Keys of what notifications have left: users' entries, marks, lists of recipients, contents, names. */
const traces = async (as: Credentials) =>
  Object.keys(await storedOf(as)).filter((key) => /#U[NR]#|#N#|NOTE|OWNER/.test(key));

async function emptied(as: Credentials): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ids = (await jobsOf(as, "purge")).map(({ id }) => id);
  for (let pass = 0; pass < 2; pass++) {
    await deliver(purge, ids);
    n.later(61);
  }
  vi.useRealTimers();
}

describe("recipients", () => {
  it("are all members, and those it names: each once, the acting user too", async () => {
    const as = await n.newDocument(["ann", "u1", ...oddIds]);
    await n.addMembers(as, ["gone"], { expiresAt: 1 });
    await must(usersAdd, { as, data: { organizationId, documentId: "d", users: users("profile") } });
    await must(usersDelete, { as, data: { organizationId, userIds: ["u1"] } });
    await n.send(as, { notifyUsers: users("ann", "outsider", "ann") });
    const all = ["ann", "u1", "gone", "profile", "outsider", "nobody", ...oddIds];
    expect(await n.havers(as, all)).toEqual(["ann", "outsider", ...oddIds]);
  });

  it("are only those it names without notifyAll, and nobody where it names nobody", async () => {
    const as = await n.newDocument(["u1", "u2"]);
    await n.send(as, { notifyAll: false, notifyUsers: users("u2", "outsider") });
    await n.send(as, { notifyAll: false });
    expect(await n.havers(as, ["u1", "u2", "outsider"])).toEqual(["u2", "outsider"]);
  });

  it("are as their preferences say: the document's, then the organization's, then all", async () => {
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
    expect(await n.havers(as, ids)).toEqual(expected);
  });

  it("lose their preferences with their life: who is added again hears of all", async () => {
    const as = await n.newDocument(["one", "other"]);
    await setConfig(as, ["d"], ["one"], "NONE");
    await setConfig(as, [], ["other"], "NONE");
    await must(usersDelete, { as, data: { organizationId, userIds: ["one", "other"] } });
    await n.addMembers(as, ["one", "other"]);
    await n.send(as);
    expect(await n.havers(as, ["one", "other"])).toEqual(["one", "other"]);
  });
});

describe("steps", () => {
  it("go over many pages and runs, and give each member one", async () => {
    const ids = n.numbered(130);
    const as = await n.newDocument(ids);
    await n.add(as, { notifyUsers: users("u7", "outsider") });
    interceptStore(cutPages(3));
    const [job] = await jobsOf(as, "notify");
    let runs = 0;
    for (; (await jobsOf(as, "notify")).length > 0; runs++) await deliver(notify, [job?.id as string], 9_900);
    expect(runs).toBeGreaterThan(3);
    vi.restoreAllMocks();
    expect(await n.havers(as, [...ids, "outsider"])).toEqual([...ids, "outsider"]);
  });

  it("cost one read a shard and one write for 25 of 60 members", async () => {
    const as = await n.newDocument(n.numbered(60));
    await n.add(as);
    const [job] = await jobsOf(as, "notify");
    const calls: Record<string, number> = {};
    interceptStore(({ constructor: { name } }) => {
      calls[name] = (calls[name] ?? 0) + 1;
    });
    await notify.run(job as never, Date.now() + 60_000);
    // Reads: what is notified and where, twice; preferences, shards; whether the document is still there.
    expect(calls).toEqual({
      BatchGetCommand: 2,
      QueryCommand: 1 + 16,
      BatchWriteCommand: 1 + Math.ceil(60 / 25),
      GetCommand: 2,
    });
  });
});

describe("a document's end", () => {
  it("before the fan-out: nobody is notified, and nothing is left", async () => {
    const as = await n.newDocument(["u"]);
    await n.add(as);
    await deleteDocument(as);
    await n.fanOut(as);
    expect((await n.inboxOf(as, "u")).notifications).toEqual([]);
    await emptied(as);
    expect(await traces(as)).toEqual([]);
  });

  it("amid the fan-out, purged already: what was given is taken back", async () => {
    const as = await n.newDocument(n.numbered(40));
    await n.add(as);
    let isDeleted = false;
    interceptStore(async ({ constructor: { name } }) => {
      if (name !== "BatchWriteCommand" || isDeleted) return;
      isDeleted = true;
      await deleteDocument(as);
      await emptied(as);
    });
    await n.fanOut(as);
    vi.restoreAllMocks();
    expect(isDeleted).toBe(true);
    expect(await traces(as)).toEqual([]);
  });

  it("after it: hidden at once, and purged with lists and read marks", async () => {
    const as = await n.newDocument(n.numbered(30));
    await n.send(as, { notificationId: "n" });
    await must(notificationsRead, { as, data: { organizationId, userId: "u1", notificationIds: ["n"] } });
    await deleteDocument(as);
    expect(await n.inboxOf(as, "u0")).toMatchObject({ notifications: [], unreadCount: 0, nextPageToken: null });
    await emptied(as);
    expect(await traces(as)).toEqual([]);
  });
});

it("goes on under a document's new id", async () => {
  const as = await n.newDocument(["u"]);
  await n.add(as);
  const [document] = await Document.getMany(as.apiKey, organizationId, ["d"]);
  const moved = { ...(document as Document.Document), documentId: "d2" };
  await Table.commit([
    ...Document.removal(as.apiKey, organizationId, document as Document.Document),
    ...Document.creation(as.apiKey, organizationId, moved, undefined),
    { put: { ...dataKeys.owner(as.apiKey, moved.uid), organizationId, documentId: "d2" } },
  ]);
  await n.fanOut(as);
  expect((await n.inboxOf(as, "u")).notifications).toMatchObject([{ documentId: "d2" }]);
});

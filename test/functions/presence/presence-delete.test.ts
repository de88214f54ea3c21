import { describe, expect, it, vi } from "vitest";
import { handler, presenceDelete } from "../../../functions/presence/presence-delete.ts";
import { presenceEntity } from "../../../lib/store/presence.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, must, newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { enter, idsOn, leave, newDocument, on, rows, usersInEvents } from "../../support/presence.ts";
import {
  addDocuments,
  callSource,
  give,
  issuesOf,
  keyText,
  newOrganization,
  oddIds,
  onDocument,
  onOne,
} from "../../support/workspace.ts";

fakeDates();

describe.each([["wanted"], ["not wanted"]])("OK when the event is %s", (what) => {
  const prepare = () => (what === "wanted" ? newDocument("presence.delete") : newDocument());

  it("deletes the presence of exactly the given users, and succeeds for a user who is not present", async () => {
    const as = await prepare();
    await enter(as, ["ann", "ben", "cat"]);
    const reply = await call(presenceDelete, { as, data: { ...on, userIds: ["ann", "nobody", "ben", "ann"] } });
    expect(reply.body).toEqual({
      result: { status: "success", message: "Presence deleted.", data: { success: true } },
    });
    expect(await idsOn(as)).toEqual(["cat"]);
    expect(await leave(as, "ann")).toEqual({ success: true });
    await enter(as, ["ann"]);
    expect(await idsOn(as)).toEqual(["ann", "cat"]);
  });

  it("accepts any id, and 1,000 ids", async () => {
    const as = await prepare();
    const many = [...oddIds, ...Array.from({ length: 1_000 - oddIds.length }, (_, index) => `u${index}`)];
    await enter(as, many);
    await enter(as, ["stays"]);
    await leave(as, ...many);
    expect(await idsOn(as)).toEqual(["stays"]);
  });

  it("succeeds for a missing organization or document, and for a reserved document, whose grants stay", async () => {
    const as = await prepare();
    await give(as, "ann", onDocument("reserved"));
    for (const ref of [{ organizationId: "missing" }, { documentId: "missing" }, { documentId: "reserved" }]) {
      const message = "The document does not exist: nobody is present on it.";
      const { body } = await call(presenceDelete, { as, data: { ...on, userIds: ["ann"], ...ref } });
      expect(body.result).toEqual({ status: "success", message, data: { success: true } });
    }
    await addDocuments(as, undefined, "reserved");
    expect(await onOne(as, "ann", "reserved")).toMatchObject({ accessRole: "editor" });
    expect(await usersInEvents(as)).toEqual({});
  });

  it("keeps the users of other workspaces and of other documents", async () => {
    const as = await prepare();
    await addDocuments(as, undefined, "e");
    await enter(as, ["ann"]);
    for (const other of [await newWorkspace(), await newOrganization(), await prepare()]) await leave(other, "ann");
    await must(presenceDelete, { as, data: { ...on, documentId: "e", userIds: ["ann"] } });
    expect(await idsOn(as)).toEqual(["ann"]);
  });
});

describe("events", () => {
  it.each([["presence.delete"], ["*"]])("names once each user who left, when the workspace wants %s", async (type) => {
    const as = await newDocument(type);
    await enter(as, ["ann", "ben", "cat"]);
    await enter(as, ["expired"], { lifetimeSeconds: 1 });
    later(2);
    await leave(as, "ann", "nobody", "ben", "expired", "ann");
    await leave(as, "ann", "ben");
    expect((await usersInEvents(as))["presence.delete"]).toEqual([["ann", "ben"]]);
  });

  it("keeps a user who comes while the call runs, since no event would say that the user left", async () => {
    const as = await newDocument("*");
    await enter(as, ["ann", "ben"]);
    await enter(as, ["expired"], { lifetimeSeconds: 1 });
    later(2);
    let isRaced = false;
    interceptStore(async ({ constructor: { name }, input }) => {
      if (isRaced || name !== "TransactWriteCommand" || !JSON.stringify(input).includes("PRESENCE#")) return;
      isRaced = true;
      await enter(as, ["late", "expired"]);
    });
    const data = { ...on, userIds: ["ann", "late", "expired"] };
    expect(await callSource(handler, presenceDelete, data, as)).toBe(200);
    vi.restoreAllMocks();
    expect(isRaced).toBe(true);
    expect(await idsOn(as)).toEqual(["ben", "expired", "late"]);
    expect((await usersInEvents(as))["presence.delete"]).toEqual([["ann"]]);
  });

  it("writes one event for concurrent calls", async () => {
    const as = await newDocument("presence.delete");
    await enter(as, ["ann"]);
    await Promise.all(Array.from({ length: 5 }, () => leave(as, "ann")));
    expect(await usersInEvents(as)).toEqual({ "presence.delete": [["ann"]] });
  });

  it("writes no event that the workspace does not want", async () => {
    const as = await newDocument("presence.add");
    await enter(as, ["ann"]);
    await leave(as, "ann");
    expect(await usersInEvents(as)).toEqual({ "presence.add": [["ann"]] });
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["userIds", []],
    ["userIds", undefined],
    ["userIds", "ann"],
    ["userIds", Array.from({ length: 1_001 }, (_, index) => `u${index}`)],
    ["userIds.1", ["ann", ""]],
    ["userIds.1", ["ann", 7]],
  ])("names the field %s, and deletes nobody's presence", async (path, userIds) => {
    const as = await newDocument();
    await enter(as, ["ann"]);
    expect(await issuesOf(presenceDelete, as, { ...on, userIds })).toEqual([path]);
    expect(await idsOn(as)).toEqual(["ann"]);
  });
});

describe("AWS calls", () => {
  const remove = (...userIds: string[]) => callSource(handler, presenceDelete, { ...on, userIds });
  const pair = "W#w#X#x PRESENCE#ann, W#w#X#x PRESENCE#ben";

  it("makes two reads and one write; when the event is wanted, four reads, a transaction and a send", async () => {
    const aws = mockAws(rows());
    expect(await remove("ann", "ben")).toBe(200);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      `BatchGet ${keyText.document("d")}, W#w#O#o ORG`,
      "BatchWrite",
    ]);
    aws.restore();
    const ref = { workspace: "w", documentUid: "x" as DocumentUid, userId: "ann" };
    const present = presenceEntity.put(ref, { userId: "ann", updatedAt: "", ttl: Date.now() }).put;
    const wanted = mockAws([...rows("presence.delete"), present]);
    expect(await remove("ann", "ben")).toBe(200);
    expect(wanted.calls().filter((each) => !each.includes("SETTING"))).toEqual([
      `BatchGet ${pair}`,
      `BatchGet ${keyText.user("ann")}, W#w#O#o ORG`,
      expect.stringMatching(/^TransactWrite Delete W#w#X#x PRESENCE#ann if present, Put JOB#\S+ JOB if absent$/),
      "SendMessageBatch",
    ]);
    wanted.restore();
  });
});

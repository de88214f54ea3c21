import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handler, presenceDelete } from "../../../functions/collaboration/presence-delete.ts";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, must, newWorkspace } from "../../support/call.ts";
import { enter, idsOn, later, leave, newDocument, on, rows, told } from "../../support/presence.ts";
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

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe.each([["wanted"], ["not wanted"]])("OK where the event is %s", (what) => {
  const document = () => (what === "wanted" ? newDocument("presence.delete") : newDocument());

  it("ends the presence of those named, whoever was not there included, and of nobody else", async () => {
    const as = await document();
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

  it("takes any id, and 1,000 of them", async () => {
    const as = await document();
    const many = [...oddIds, ...Array.from({ length: 1_000 - oddIds.length }, (_, index) => `u${index}`)];
    await enter(as, many);
    await enter(as, ["stays"]);
    await leave(as, ...many);
    expect(await idsOn(as)).toEqual(["stays"]);
  });

  it("is a success for a missing organization or document, and one that is only reserved, whose grants stay", async () => {
    const as = await document();
    await give(as, "ann", onDocument("reserved"));
    for (const gone of [{ organizationId: "gone" }, { documentId: "gone" }, { documentId: "reserved" }]) {
      expect(await must(presenceDelete, { as, data: { ...on, userIds: ["ann"], ...gone } })).toEqual({ success: true });
    }
    await addDocuments(as, undefined, "reserved");
    expect(await onOne(as, "ann", "reserved")).toMatchObject({ accessRole: "editor" });
    expect(await told(as)).toEqual({});
  });

  it("leaves another workspace's and another document's users where they are", async () => {
    const as = await document();
    await addDocuments(as, undefined, "e");
    await enter(as, ["ann"]);
    for (const other of [await newWorkspace(), await newOrganization(), await document()]) await leave(other, "ann");
    await must(presenceDelete, { as, data: { ...on, documentId: "e", userIds: ["ann"] } });
    expect(await idsOn(as)).toEqual(["ann"]);
  });
});

describe("events", () => {
  it.each([["presence.delete"], ["*"]])("tells who left, where %s is wanted, and once", async (type) => {
    const as = await newDocument(type);
    await enter(as, ["ann", "ben", "cat"]);
    await enter(as, ["ended"], { lifetimeSeconds: 1 });
    later(2);
    await leave(as, "ann", "nobody", "ben", "ended", "ann");
    await leave(as, "ann", "ben");
    expect((await told(as))["presence.delete"]).toEqual([["ann", "ben"]]);
  });

  it("tells it once, however many calls say it at the same time", async () => {
    const as = await newDocument("presence.delete");
    await enter(as, ["ann"]);
    await Promise.all(Array.from({ length: 5 }, () => leave(as, "ann")));
    expect(await told(as)).toEqual({ "presence.delete": [["ann"]] });
  });

  it("tells nothing that is not wanted", async () => {
    const as = await newDocument("presence.add");
    await enter(as, ["ann"]);
    await leave(as, "ann");
    expect(await told(as)).toEqual({ "presence.add": [["ann"]] });
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
  ])("names %s, and nobody leaves", async (path, userIds) => {
    const as = await newDocument();
    await enter(as, ["ann"]);
    expect(await issuesOf(presenceDelete, as, { ...on, userIds })).toEqual([path]);
    expect(await idsOn(as)).toEqual(["ann"]);
  });
});

describe("AWS calls", () => {
  const remove = (...userIds: string[]) => callSource(handler, presenceDelete, { ...on, userIds });
  const pair = "W#w#X#x PRESENCE#ann, W#w#X#x PRESENCE#ben";

  it("makes two reads and one write, and where the event is wanted one read more for a transaction", async () => {
    const aws = mockAws(rows());
    expect(await remove("ann", "ben")).toBe(200);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      `Get ${keyText.document("d")}`,
      "BatchWrite",
    ]);
    aws.restore();
    const present = { ...dataKeys.presence("w", "x", "ann"), userId: "ann", ttl: Date.now() };
    const wanted = mockAws([...rows("presence.delete"), present]);
    expect(await remove("ann", "ben")).toBe(200);
    expect(wanted.calls().filter((each) => !each.includes("SETTING"))).toEqual([
      `BatchGet ${pair}`,
      expect.stringMatching(/^TransactWrite Delete W#w#X#x PRESENCE#ann, Put JOB#\S+ JOB$/),
      "BatchWrite",
      "SendMessageBatch",
    ]);
    wanted.restore();
  });
});

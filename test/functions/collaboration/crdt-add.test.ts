import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { crdtAdd, handler } from "../../../functions/collaboration/crdt-add.ts";
import { crdtGet } from "../../../functions/collaboration/crdt-get.ts";
import { documentsDelete } from "../../../functions/content/documents-delete.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { eventTypes } from "../../../lib/schema/events.ts";
import * as Document from "../../../lib/store/document.ts";
import { keys } from "../../../lib/store/keys.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import {
  addDocuments,
  callSource,
  keyText,
  mocked,
  newOrganization,
  oddIds,
  organizationId,
} from "../../support/workspace.ts";

const at = { organizationId, documentId: "d", editorId: "e" };

async function newDocument(): Promise<Credentials> {
  const as = await newOrganization();
  await addDocuments(as, undefined, "d");
  return as;
}

const add = (as: Credentials, data: object) => call(crdtAdd, { as, data: { ...at, ...data } });
const read = (as: Credentials, data: object = {}) => call(crdtGet, { as, data: { ...at, ...data } });

/** What the document's partition holds. */
async function storedOf({ apiKey }: Credentials): Promise<Table.Item[]> {
  const [document] = await Document.getMany(apiKey, organizationId, ["d"]);
  return (
    await Array.fromAsync(Table.all<Table.Item>({ pk: keys.documentData(apiKey, document?.uid as string) }))
  ).flat();
}

describe("OK", () => {
  it.each([
    ["text", "Hello, 🦜\n", "content"],
    ["map", { title: "T", tags: ["a", { b: null }] }, "default"],
    ["array", [1, [2], {}], undefined],
    ["xml", '<p class="x">Hello, <b>world</b>!</p>', "default"],
  ])("adds %s, and answers without data", async (type, data, contentKey) => {
    const as = await newDocument();
    const { body } = await add(as, { type, data, contentKey });
    expect(body).toEqual({ result: { status: "success", message: "CRDT data added." } });
    expect((await read(as)).data).toMatchObject({ type, data, contentKey: contentKey ?? "content" });
  });

  it("keeps keys of any name", async () => {
    const as = await newDocument();
    const data = JSON.parse('{"__proto__":{"__proto__":[1]},"constructor":"c","10":null}');
    await add(as, { type: "map", data });
    expect(JSON.stringify((await read(as)).body.result.data.data)).toBe(JSON.stringify(data));
  });

  it("keeps the editors of a document apart, whatever their ids", async () => {
    const as = await newDocument();
    const editorIds = [...oddIds, "e", "e#1", "e%231"];
    for (const editorId of editorIds)
      expect((await add(as, { editorId, type: "text", data: editorId })).status).toBe(200);
    for (const editorId of editorIds) expect((await read(as, { editorId })).data.data).toBe(editorId);
  });

  it("splits what one item cannot hold, and is gone with its document", async () => {
    const as = await newDocument();
    const data = "0123456789".repeat(360_000);
    await add(as, { type: "text", data });
    expect((await storedOf(as)).length).toBe(11);
    // With the update beside it, the text itself would make the reply too long.
    const document = new Y.Doc();
    Y.applyUpdate(document, Buffer.from((await read(as)).data.update, "base64"));
    expect(document.getText("content").toString()).toBe(data);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    await addDocuments(as, undefined, "d");
    expect((await read(as)).error?.status).toBe("NOT_FOUND");
    expect((await add(as, { type: "text", data: "" })).status).toBe(200);
  });

  it("tells what was added, to a workspace that wants to know", async () => {
    const as = await newDocument();
    await Setting.update(as.apiKey, "webhooks", { wantedEvents: [...eventTypes] });
    for (const data of ["one", "two"]) await add(as, { type: "text", data });
    const events = (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events as object[]);
    const data = { editorId: "e", type: "text", contentKey: "content" };
    expect(events).toMatchObject([{ type: "crdt.add", organizationId, documentId: "d", data }]);
  });
});

describe("ALREADY_EXISTS", () => {
  it("for the second content of an editor, which changes nothing, empty or not", async () => {
    const as = await newDocument();
    await add(as, { type: "text", data: "" });
    const before = await storedOf(as);
    for (const each of [
      { type: "text", data: "x".repeat(1e6) },
      { type: "text", data: "" },
      { type: "map", data: {} },
    ]) {
      expect(await add(as, each)).toMatchObject({ status: 409, error: { status: "ALREADY_EXISTS" } });
    }
    expect(await storedOf(as)).toEqual(before);
  });

  it("for all but one of those who add at the same time, and what is kept is one's whole", async () => {
    const as = await newDocument();
    const contents = [0, 1, 2, 3, 4].map((index) => String(index).repeat(400_000 * (index + 1)));
    const replies = await Promise.all(contents.map((data) => add(as, { type: "text", data })));
    const winners = replies.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(winners).toHaveLength(1);
    expect((await read(as)).data.data).toBe(contents[winners[0] as number]);
  });
});

describe("NOT_FOUND", () => {
  it("for a missing organization or document, and for another workspace's", async () => {
    const as = await newDocument();
    const data = { type: "text", data: "x" };
    expect((await add(as, { ...data, documentId: "gone" })).error?.message).toContain("document");
    expect((await add(as, { ...data, organizationId: "gone" })).error?.message).toContain("organization");
    expect((await add(await newWorkspace(), data)).error?.status).toBe("NOT_FOUND");
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["text", {}],
    ["text", []],
    ["xml", ["<p/>"]],
    ["map", []],
    ["map", "{}"],
    ["array", {}],
    ["array", "[]"],
    ["text", 1],
    ["map", null],
    ["array", undefined],
    ["xml", "<p>"],
    ["xml", "<!DOCTYPE p><p/>"],
    ["text", "x".repeat(3_700_000)],
  ])("names data that does not fit: %s", async (type, data) => {
    const as = await newDocument();
    const { error } = await add(as, { type, data });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["data"] }] } });
    expect(await storedOf(as)).toEqual([]);
  });
});

describe("AWS calls", () => {
  it("makes two reads and one transaction with the editor's absence as its condition", async () => {
    const row = { ...keys.document("w", organizationId, "d"), documentId: "d", uid: "x", createdAt: "2026" };
    const aws = mockAws([...mocked.rows, row]);
    expect(await callSource(handler, crdtAdd, { ...at, type: "text", data: "x".repeat(360_000) })).toBe(200);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      `BatchGet ${keyText.document("d")}, W#w#O#o ORG`,
      "TransactWrite Put W#w#X#x CRDT#e, Put W#w#X#x CRDT#e#1",
    ]);
    aws.restore();
  });
});

import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { crdtAdd, handler } from "../../../functions/editor-content/crdt-add.ts";
import { crdtGet } from "../../../functions/editor-content/crdt-get.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { eventTypes } from "../../../lib/schema/events.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { type DocumentUid, documentDataPartition } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { newDocument } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { itemsOf } from "../../support/scan.ts";
import {
  addDocuments,
  callSource,
  issuesOf,
  keyText,
  mocked,
  newOrganization,
  oddIds,
  organizationId,
} from "../../support/workspace.ts";

const at = { organizationId, documentId: "d", editorId: "e" };

const add = (as: Credentials, data: object) => call(crdtAdd, { as, data: { ...at, ...data } });
const read = (as: Credentials, data: object = {}) => call(crdtGet, { as, data: { ...at, ...data } });

/** The items in the document's partition. */
async function storedOf({ apiKey: workspace }: Credentials): Promise<Item[]> {
  const document = await Document.get({ workspace, organizationId, documentId: "d" });
  const pk = documentDataPartition({ workspace, documentUid: document?.documentUid as DocumentUid });
  return (await Array.fromAsync(Table.all<Item>({ pk }))).flat();
}

describe("OK", () => {
  it.each([
    ["text", "Hello, 🦜\n", "content"],
    ["map", { title: "T", tags: ["a", { b: null }] }, "default"],
    ["array", [1, [2], {}], undefined],
    ["xml", '<p class="x">Hello, <b>world</b>!</p>', "default"],
  ])("adds %s, and returns no data", async (type, data, contentKey) => {
    const as = await newDocument();
    const { body } = await add(as, { type, data, contentKey });
    expect(body).toEqual({ result: { status: "success", message: "CRDT data added." } });
    expect((await read(as)).data).toMatchObject({ type, data, contentKey: contentKey ?? "content" });
  });

  it("keeps keys of unusual names", async () => {
    const as = await newDocument();
    const data = JSON.parse('{"prototype":{"constructor":[1]},"constructor":"c","10":null}');
    await add(as, { type: "map", data });
    expect(JSON.stringify((await read(as)).body.result.data.data)).toBe(JSON.stringify(data));
  });

  it("keeps the content of each editor separate, for any id", async () => {
    const as = await newDocument();
    const editorIds = [...oddIds, "e", "e#1", "e%231"];
    for (const editorId of editorIds)
      expect((await add(as, { editorId, type: "text", data: editorId })).status).toBe(200);
    for (const editorId of editorIds) expect((await read(as, { editorId })).data.data).toBe(editorId);
  });

  it("stores content that exceeds one item, and deletes it with its document", async () => {
    const as = await newDocument();
    const data = "0123456789".repeat(360_000);
    await add(as, { type: "text", data });
    expect((await itemsOf(as.apiKey)).filter(({ entity }) => entity === "editor-state-part")).toHaveLength(11);
    // Text and update together would make the reply too long, so it has the update only.
    const document = new Y.Doc();
    Y.applyUpdate(document, Buffer.from((await read(as)).data.update, "base64"));
    expect(document.getText("content").toString()).toBe(data);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    await addDocuments(as, undefined, "d");
    expect((await read(as)).error?.status).toBe("NOT_FOUND");
    expect((await add(as, { type: "text", data: "" })).status).toBe(200);
  });

  it("writes one event, with the type and the content key, when the workspace wants it", async () => {
    const as = await newDocument();
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: [...eventTypes] });
    for (const data of ["one", "two"]) await add(as, { type: "text", data });
    const events = (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events as object[]);
    const data = { editorId: "e", type: "text", contentKey: "content" };
    expect(events).toMatchObject([{ type: "crdt.add", organizationId, documentId: "d", data }]);
  });
});

describe("ALREADY_EXISTS", () => {
  it("is returned for a second content of an editor, even after an empty one, and nothing is changed", async () => {
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

  it("is returned for all but one of several concurrent calls, whose content is stored completely", async () => {
    const as = await newDocument();
    const contents = [0, 1, 2, 3, 4].map((index) => String(index).repeat(400_000 * (index + 1)));
    const replies = await Promise.all(contents.map((data) => add(as, { type: "text", data })));
    const winners = replies.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(winners).toHaveLength(1);
    expect((await read(as)).data.data).toBe(contents[winners[0] as number]);
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing document, and one of another workspace", async () => {
    const as = await newDocument();
    const data = { type: "text", data: "x" };
    expect((await add(as, { ...data, documentId: "missing" })).error?.message).toContain("document");
    expect((await add(await newOrganization(), data)).error?.status).toBe("NOT_FOUND");
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
  ])("is returned for data that does not fit the type %s", async (type, data) => {
    const as = await newDocument();
    const { error } = await add(as, { type, data });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["data"] }] } });
    expect(await storedOf(as)).toEqual([]);
  });

  it("lists malformed content beside other invalid fields", async () => {
    const as = await newDocument();
    const data = { ...at, organizationId: "", type: "xml", data: "<a" };
    expect(await issuesOf(crdtAdd, as, data)).toEqual(["organizationId", "data"]);
  });
});

describe("AWS calls", () => {
  it("makes two reads and one transaction", async () => {
    const aws = mockAws([...mocked.rows, mocked.document]);
    expect(await callSource(handler, crdtAdd, { ...at, type: "text", data: "x".repeat(360_000) })).toBe(200);
    expect(aws.calls().map((each) => each.replace(/[\da-f]{8}-[\da-f-]{27}/g, "id"))).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      `BatchGet ${keyText.document("d")}, W#w#O#o ORG`,
      "TransactWrite Put W#w#X#x CRDT#e if absent, Put W#w#X#x#E#e#id STATE#id#000, Put W#w#X#x#E#e#id STATE#id#001",
    ]);
    aws.restore();
  });
});

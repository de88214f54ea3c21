import { describe, expect, it } from "vitest";
import { crdtList, handler } from "../../../functions/editor-content/crdt-list.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { add, editorOf, mergeAgain, mergeNow, read, send, typed } from "../../support/crdt.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { newDocument } from "../../support/feature-data.ts";
import {
  callSource,
  issuesOf,
  keyText,
  mocked,
  newOrganization,
  oddIds,
  organizationId,
} from "../../support/workspace.ts";

fakeDates();

const on = { organizationId, documentId: "d" };
const list = (as: Credentials, data: object = {}) => must(crdtList, { as, data: { ...on, ...data } });

describe("OK", () => {
  it("returns each editor with its type, content key, times and size", async () => {
    const as = await newDocument();
    await add(as, { type: "text", data: "Hello" });
    await add(as, { editorId: "board", type: "map", data: {}, contentKey: "k" });
    const before = (await list(as)).editors;
    expect(before).toMatchObject([
      { editorId: "board", type: "map", contentKey: "k" },
      { editorId: "e", type: "text", contentKey: "content", generation: (await read(as)).generation },
    ]);
    const { createdAt, sizeBytes } = before[1];
    expect(sizeBytes).toBe((await editorOf(as)).sizeBytes);
    const [change] = typed(["!"], (await read(as)).update) as [Uint8Array];
    await send(as, change);
    const [, changed] = (await list(as)).editors;
    expect(changed.createdAt).toBe(createdAt);
    expect(changed.updatedAt >= createdAt).toBe(true);
    expect(changed.sizeBytes).toBeGreaterThanOrEqual(sizeBytes + change.byteLength);
    await mergeNow(as);
    // The room that was reserved again after a lost reply is given back.
    later(61);
    await mergeAgain(as);
    const merged = Buffer.from((await read(as)).update, "base64").byteLength;
    expect((await list(as)).editors[1].sizeBytes).toBe(merged);
  });

  it("returns all editors in pages, and none of another document", async () => {
    const as = await newDocument();
    for (const editorId of oddIds) await add(as, { editorId, type: "text", data: "a".repeat(400_000) });
    const found: string[] = [];
    let pageToken: string | null = null;
    do {
      const page = await list(as, { pageSize: 5, pageToken });
      found.push(...page.editors.map(({ editorId }: { editorId: string }) => editorId));
      pageToken = page.nextPageToken;
    } while (pageToken !== null);
    expect(found.sort()).toEqual([...oddIds].sort());
  });

  it("returns an empty list for a document without editors", async () => {
    expect(await list(await newDocument())).toEqual({ editors: [], nextPageToken: null });
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing document, and one of another workspace", async () => {
    const as = await newDocument();
    const missing = { ...on, documentId: "missing" };
    expect((await call(crdtList, { as, data: missing })).error?.status).toBe("NOT_FOUND");
    expect((await call(crdtList, { as: await newOrganization(), data: on })).error?.status).toBe("NOT_FOUND");
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["pageSize", { pageSize: 0 }],
    ["pageSize", { pageSize: 101 }],
  ])("names the field %s", async (path, data) => {
    expect(await issuesOf(crdtList, await newDocument(), { ...on, ...data })).toEqual([path]);
  });

  it("is returned for a token of another document", async () => {
    const as = await newDocument();
    for (const editorId of ["a", "b"]) await add(as, { editorId, type: "text", data: "" });
    const { nextPageToken } = await list(as, { pageSize: 1 });
    const { error } = await call(crdtList, { as, data: { ...on, documentId: "other", pageToken: nextPageToken } });
    expect(error?.status).toBe("INVALID_ARGUMENT");
  });
});

describe("AWS calls", () => {
  it("makes two reads after the credentials", async () => {
    const aws = mockAws([...mocked.rows, mocked.document]);
    expect(await callSource(handler, crdtList, on)).toBe(200);
    expect(aws.calls().slice(1)).toEqual([expect.stringContaining(keyText.document("d")), "Query W#w#X#x"]);
    aws.restore();
  });
});

import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { crdtAdd } from "../../../functions/collaboration/crdt-add.ts";
import { crdtGet, handler } from "../../../functions/collaboration/crdt-get.ts";
import { encode } from "../../../lib/crdt/state.ts";
import * as Crdt from "../../../lib/store/crdt.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { addDocuments, callSource, keyText, mocked, newOrganization, organizationId } from "../../support/workspace.ts";

const at = { organizationId, documentId: "d", editorId: "e" };

async function withContent(content: object): Promise<Credentials> {
  const as = await newOrganization();
  await addDocuments(as, undefined, "d");
  await must(crdtAdd, { as, data: { ...at, ...content } });
  return as;
}

/** A Yjs document that has loaded the reply's update. */
function loaded(update: string): Y.Doc {
  const document = new Y.Doc();
  Y.applyUpdate(document, Buffer.from(update, "base64"));
  return document;
}

describe("OK", () => {
  it("returns the content as sent, and an update from which a Yjs client loads it", async () => {
    const data = { title: "T", rows: [{ done: false }], none: null };
    const as = await withContent({ type: "map", data, contentKey: "board" });
    const reply = await must(crdtGet, { as, data: at });
    expect(reply).toEqual({ type: "map", contentKey: "board", data, update: expect.any(String) });
    expect(loaded(reply.update).getMap("board").toJSON()).toEqual(data);
  });

  it("omits the data when the reply would be too long, and still returns the update", async () => {
    const data = "x".repeat(3_600_000);
    const as = await withContent({ type: "text", data });
    const reply = await must(crdtGet, { as, data: at });
    expect(Object.keys(reply).sort()).toEqual(["contentKey", "type", "update"]);
    expect(loaded(reply.update).getText("content").toString()).toBe(data);
  });

  it.each([
    ["quotes", '"', 2_000_000],
    ["fewer quotes", '"', 1_500_000],
    ["backslashes", "\\", 1_500_000],
    ["control characters", "\u0001", 770_000],
  ])("returns the update of a long text of %s, which grow when they are sent", async (_, character, count) => {
    const data = character.repeat(count);
    const as = await withContent({ type: "text", data });
    const reply = await must(crdtGet, { as, data: at });
    expect(reply).not.toHaveProperty("data");
    expect(loaded(reply.update).getText("content").toString()).toBe(data);
  });
});

describe("NOT_FOUND", () => {
  it.each([
    ["organization", { organizationId: "missing" }],
    ["document", { documentId: "missing" }],
    ["editor", { editorId: "missing" }],
  ])("names the missing %s", async (what, missing) => {
    const as = await withContent({ type: "text", data: "" });
    const { error } = await call(crdtGet, { as, data: { ...at, ...missing } });
    expect(error).toMatchObject({ status: "NOT_FOUND", message: expect.stringContaining(what) });
  });
});

describe("AWS calls", () => {
  const rowsOf = (length: number) => {
    const state = encode({ type: "text", contentKey: "content", data: "x".repeat(length) });
    const ref = { workspace: "w", documentUid: "x" as DocumentUid, editorId: "e" };
    const writes = Crdt.creation(ref, { type: "text", contentKey: "content", state });
    return writes.flatMap((write) => ("put" in write ? [write.put] : []));
  };
  const document = keyText.document("d");

  it("makes three reads with the credentials, and a fourth for content of several items", async () => {
    // In the second call, the container has seen the organization.
    for (const [length, first, more] of [
      [10, `BatchGet ${document}, W#w#O#o ORG`, []],
      [1_000_000, `Get ${document}`, ["BatchGet W#w#X#x CRDT#e#1, W#w#X#x CRDT#e#2"]],
    ] as const) {
      const reads = [first, "Get W#w#X#x CRDT#e"];
      const aws = mockAws([...mocked.rows, mocked.document, ...rowsOf(length)]);
      expect(await callSource(handler, crdtGet, at)).toBe(200);
      expect(aws.calls().filter((each) => !each.includes("WORKSPACE"))).toEqual([...reads, ...more]);
      aws.restore();
    }
  });

  it("returns NOT_FOUND when a purge has deleted a part of the content", async () => {
    const aws = mockAws([...mocked.rows, mocked.document, ...rowsOf(1_000_000).slice(0, 2)]);
    expect(await callSource(handler, crdtGet, at)).toBe(404);
    aws.restore();
  });
});

import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { crdtAdd } from "../../../functions/editor-content/crdt-add.ts";
import { crdtGet, handler } from "../../../functions/editor-content/crdt-get.ts";
import { encode } from "../../../lib/crdt/state.ts";
import * as Crdt from "../../../lib/store/crdt/crdt.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { base64, bytes, loaded, send, typed } from "../../support/crdt.ts";
import {
  addDocuments,
  callSource,
  issuesOf,
  keyText,
  mocked,
  newOrganization,
  organizationId,
} from "../../support/workspace.ts";

const at = { organizationId, documentId: "d", editorId: "e" };

async function withContent(content: object): Promise<Credentials> {
  const as = await newOrganization();
  await addDocuments(as, undefined, "d");
  await must(crdtAdd, { as, data: { ...at, ...content } });
  return as;
}

describe("OK", () => {
  it("returns the content as sent, and an update from which a Yjs client loads it", async () => {
    const data = { title: "T", rows: [{ done: false }], none: null };
    const as = await withContent({ type: "map", data, contentKey: "board" });
    const reply = await must(crdtGet, { as, data: at });
    const strings = { update: expect.any(String), stateVector: expect.any(String), generation: expect.any(String) };
    expect(reply).toEqual({ type: "map", contentKey: "board", data, ...strings });
    expect(loaded(reply.update).getMap("board").toJSON()).toEqual(data);
  });

  it("omits the data when the reply would be too long, and still returns the update", async () => {
    const data = "x".repeat(3_600_000);
    const as = await withContent({ type: "text", data });
    const reply = await must(crdtGet, { as, data: at });
    expect(Object.keys(reply).sort()).toEqual(["contentKey", "generation", "stateVector", "type", "update"]);
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

describe("with a state vector", () => {
  it("returns only what a client lacks, and no data", async () => {
    const as = await withContent({ type: "text", data: "Hello" });
    const client = loaded((await must(crdtGet, { as, data: at })).update);
    const [change] = typed([", world"], base64(Y.encodeStateAsUpdate(client)));
    await send(as, change as Uint8Array);
    const stateVector = base64(Y.encodeStateVector(client));
    const reply = await must(crdtGet, { as, data: { ...at, stateVector } });
    expect(reply).not.toHaveProperty("data");
    expect(reply.update).toBe(base64(change as Uint8Array));
    Y.applyUpdate(client, bytes(reply.update));
    expect(client.getText("content").toString()).toBe("Hello, world");
    const rest = await must(crdtGet, { as, data: { ...at, stateVector: base64(Y.encodeStateVector(client)) } });
    expect(rest.update).toBe("AAA=");
  });

  it("returns the vector of the server, from which a client knows what the server lacks", async () => {
    const as = await withContent({ type: "text", data: "Hello" });
    const { update, stateVector } = await must(crdtGet, { as, data: at });
    const client = loaded(update);
    client.getText("content").insert(5, "!");
    await send(as, Y.encodeStateAsUpdate(client, bytes(stateVector)));
    const now = await must(crdtGet, { as, data: at });
    expect(now.data).toBe("Hello!");
    expect(now.stateVector).toBe(base64(Y.encodeStateVector(client)));
  });

  it.each([["not base64!"], ["AQ=="], ["AAAA"], [7]])("is INVALID_ARGUMENT for %j", async (stateVector) => {
    const as = await withContent({ type: "text", data: "" });
    expect(await issuesOf(crdtGet, as, { ...at, stateVector })).toEqual(["stateVector"]);
  });
});

describe("NOT_FOUND", () => {
  it.each([
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
  const shown = (aws: ReturnType<typeof mockAws>) => aws.calls().map((each) => each.replace(uuids, "id"));
  const uuids = /[\da-f]{8}-[\da-f-]{27}/g;

  it("makes four reads after the credentials, whatever the size", async () => {
    // In the second call, the container has seen the organization.
    for (const [length, first, parts] of [
      [10, `BatchGet ${document}, W#w#O#o ORG`, ["000"]],
      [1_000_000, `BatchGet ${document}, W#w#O#o ORG`, ["000", "001", "002"]],
    ] as const) {
      const aws = mockAws([...mocked.rows, mocked.document, ...rowsOf(length)]);
      expect(await callSource(handler, crdtGet, at)).toBe(200);
      const keys = ["W#w#X#x CRDT#e", ...parts.map((part) => `W#w#X#x#E#e#id STATE#id#${part}`)];
      expect(shown(aws).filter((each) => !each.includes("WORKSPACE"))).toEqual([
        first,
        "Get W#w#X#x CRDT#e",
        "Query W#w#X#x#E#e#id",
        `BatchGet ${keys.join(", ")}`,
      ]);
      aws.restore();
    }
  });

  it("returns NOT_FOUND when a purge has deleted a part of the content", async () => {
    const aws = mockAws([...mocked.rows, mocked.document, ...rowsOf(1_000_000).slice(0, 2)]);
    expect(await callSource(handler, crdtGet, at)).toBe(404);
    aws.restore();
  });
});

import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { crdtUpdate } from "../../../functions/editor-content/crdt-update.ts";
import { eventTypes } from "../../../lib/schema/events.ts";
import { editorBytesMax } from "../../../lib/store/crdt/crdt-updates.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type Credentials, call } from "../../support/call.ts";
import {
  add,
  at,
  base64,
  editorOf,
  loaded,
  mergeAgain,
  mergeNow,
  read,
  send,
  textOf,
  typed,
  updatesOf,
  varUint,
} from "../../support/crdt.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { newDocument } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { issuesOf, newOrganization } from "../../support/workspace.ts";

fakeDates();

const text = (data = "") => ({ type: "text", data });

async function withText(data?: string): Promise<Credentials> {
  const as = await newDocument();
  await add(as, text(data));
  return as;
}

/** The events of these types that wait for their fan-out. */
async function eventsOf(as: Credentials, ...types: string[]) {
  const events = (await jobsOf(as, "fanout")).flatMap(
    ({ payload }) => payload.events as { type: string; data: object }[],
  );
  return events.filter(({ type }) => types.includes(type));
}

describe("OK", () => {
  it("adds a change to the content, for every reader", async () => {
    const as = await withText("Hello");
    const { update, generation } = await read(as);
    const document = loaded(update);
    const [change] = typed([", world"], update);
    expect((await send(as, change as Uint8Array)).data).toEqual({ generation });
    expect((await read(as)).data).toBe("Hello, world");
    Y.applyUpdate(document, Buffer.from((await read(as)).update, "base64"));
    expect(document.getText("content").toString()).toBe("Hello, world");
  });

  it("keeps concurrent updates of 16 clients, in any order, before and after a merge", async () => {
    const as = await withText("start ");
    const { update } = await read(as);
    const words = Array.from({ length: 16 }, (_, client) => `<${client}>`);
    const perClient = words.map((word) => typed([...word], update));
    // Each client sends its later changes first.
    await Promise.all(
      perClient.map(async (changes) => {
        for (const change of changes.reverse()) expect((await send(as, change)).status).toBe(200);
      }),
    );
    const whole = await textOf(as);
    for (const word of words) expect(whole).toContain(word);
    expect(whole).toHaveLength("start ".length + words.join("").length);
    await mergeNow(as);
    expect(await textOf(as)).toBe(whole);
    // A reservation whose reply was lost was made twice.
    later(61);
    await mergeAgain(as);
    const { sizeBytes } = await editorOf(as);
    expect(await editorOf(as)).toMatchObject({ waiting: 0, usedBytes: sizeBytes });
  });

  it("accepts an update twice, and one that needs another which comes later", async () => {
    const as = await withText();
    const [first, second] = typed(["a", "b"]) as [Uint8Array, Uint8Array];
    await send(as, second);
    expect((await read(as)).data).toBe("");
    await mergeNow(as);
    for (const each of [first, first, second]) await send(as, each);
    expect((await read(as)).data).toBe("ab");
  });

  it("adds a missing editor when the type is stated, once for concurrent calls", async () => {
    const as = await newDocument();
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: [...eventTypes] });
    const documents = [0, 1, 2, 3].map((client) => {
      const document = new Y.Doc();
      document.getMap("board").set(`k${client}`, client);
      return Y.encodeStateAsUpdate(document);
    });
    const replies = await Promise.all(documents.map((each) => send(as, each, { type: "map", contentKey: "board" })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await read(as)).data).toEqual({ k0: 0, k1: 1, k2: 2, k3: 3 });
    expect(await eventsOf(as, "crdt.add")).toMatchObject([
      { data: { editorId: "e", type: "map", contentKey: "board" } },
    ]);
  });

  it("changes nothing for an update without content", async () => {
    const as = await withText("a");
    const before = await editorOf(as);
    expect((await send(as, Y.encodeStateAsUpdate(new Y.Doc()))).status).toBe(200);
    expect(await editorOf(as)).toEqual(before);
  });
});

describe("events", () => {
  it("causes one event for all changes of a minute", async () => {
    const as = await withText();
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: [...eventTypes] });
    const changes = typed([..."abcdef"]);
    for (const change of changes.slice(0, 4)) await send(as, change);
    const [first, ...others] = (await eventsOf(as, "crdt.update")) as { data: { editorId: string; until: string } }[];
    expect(others).toEqual([]);
    expect(first?.data.editorId).toBe("e");
    expect(Date.parse(String(first?.data.until)) - Date.now()).toBeGreaterThan(110_000);
    later(61);
    for (const change of changes.slice(4)) await send(as, change);
    expect(await eventsOf(as, "crdt.update")).toHaveLength(2);
    expect(await textOf(as)).toBe("abcdef");
  });

  it("causes none that nobody wants", async () => {
    const as = await withText();
    await send(as, typed(["a"])[0] as Uint8Array);
    expect(await jobsOf(as, "fanout")).toEqual([]);
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing editor or document, and one of another workspace", async () => {
    const as = await withText();
    const [change] = typed(["a"]) as [Uint8Array];
    for (const missing of [{ editorId: "missing" }, { documentId: "missing" }]) {
      expect((await send(as, change, missing)).error).toMatchObject({ status: "NOT_FOUND" });
    }
    expect((await send(await newOrganization(), change, { type: "text" })).error?.status).toBe("NOT_FOUND");
    expect((await send(as, change, { editorId: "missing", type: "text", generation: "g" })).error?.status).toBe(
      "NOT_FOUND",
    );
  });
});

describe("FAILED_PRECONDITION", () => {
  it.each([
    ["type", { type: "map" }],
    ["contentKey", { contentKey: "other" }],
    ["deleted", { generation: "former" }],
  ])("is returned for another %s than the editor's, and nothing changes", async (what, other) => {
    const as = await withText("a");
    const before = await editorOf(as);
    const { error } = await send(as, typed(["b"])[0] as Uint8Array, other);
    expect(error).toMatchObject({ status: "FAILED_PRECONDITION", message: expect.stringContaining(what) });
    expect(await editorOf(as)).toEqual(before);
  });
});

it("leaves out the data of types that are nested too deep for JSON, and keeps them", async () => {
  const as = await newDocument();
  const document = new Y.Doc();
  let inner = document.getArray<unknown>("content");
  for (let level = 0; level < 300; level++) {
    const next = new Y.Array<unknown>();
    inner.insert(0, [next]);
    inner = next;
  }
  await send(as, Y.encodeStateAsUpdate(document), { type: "array" });
  const reply = await read(as);
  expect(reply).not.toHaveProperty("data");
  expect(loaded(reply.update).getArray("content").toJSON()).toEqual(document.getArray("content").toJSON());
});

describe("RESOURCE_EXHAUSTED", () => {
  it("is returned for an update beyond 3.5 MB, and the content is as before", async () => {
    const as = await withText("x".repeat(editorBytesMax - 100_000));
    const [change] = typed(["y".repeat(101_000)]) as [Uint8Array];
    const reply = await send(as, change);
    expect(reply.error).toMatchObject({ status: "RESOURCE_EXHAUSTED" });
    expect(reply.headers).not.toHaveProperty("retry-after");
    expect(await editorOf(as)).toMatchObject({ waiting: 0 });
    // Fits also when its room is reserved again and again, after lost replies.
    expect((await send(as, typed(["y".repeat(15_000)])[0] as Uint8Array)).status).toBe(200);
    // The updates could take less room together.
    const full = await send(as, change);
    expect(full).toMatchObject({ status: 429, headers: { "retry-after": "5" } });
    expect(await jobsOf(as, "merge")).toHaveLength(1);
  });
});

describe("INVALID_ARGUMENT", () => {
  const valid = typed(["a"])[0] as Uint8Array;
  const v2 = (() => {
    const document = new Y.Doc();
    document.getText("content").insert(0, "a");
    return Y.encodeStateAsUpdateV2(document);
  })();
  /** One item with values as JSON, of the client 5 in the shared type `a`. */
  const withJson = (...values: string[]) => {
    const text = (value: string) => [...varUint(value.length), ...Buffer.from(value)];
    return new Uint8Array([1, 1, 5, 0, 2, 1, text("a"), varUint(values.length), values.map(text), 0].flat(2));
  };
  const unwritable = withJson("[".repeat(10_000) + "]".repeat(10_000));
  const longer = withJson(...Array.from({ length: 20_000 }, () => "1e20"));

  it.each([
    ["text that is not base64", "not base64!"],
    ["nothing", ""],
    ["bytes that are no update", base64(Buffer.from("Hello, world"))],
    ["an update that is cut off", base64(valid.subarray(0, -1))],
    ["an update that bytes follow", base64(Buffer.concat([valid, Buffer.from([0])]))],
    ["an update in the format v2", base64(v2)],
    ["an update above 300 KB", base64(typed(["x".repeat(300 * 1_024)])[0] as Uint8Array)],
    [
      "an update whose text is longer than it says",
      base64(Buffer.from(valid).fill(200, valid.length - 3, valid.length - 2)),
    ],
    ["an update with a value that Yjs cannot write", base64(unwritable)],
    ["an update that has more than 300 KB as Yjs writes it", base64(longer)],
    ["a number", 7],
  ])("is returned for %s", async (_, update) => {
    const as = await newDocument();
    expect(await issuesOf(crdtUpdate, as, { ...at, update, type: "text" })).toEqual(["update"]);
    expect((await call(crdtUpdate, { as, data: { ...at, update: base64(valid) } })).error?.status).toBe("NOT_FOUND");
  });

  it("or a success is returned for updates with wrong bytes, and the content stays readable", async () => {
    const as = await withText();
    const source = new Y.Doc();
    const updates = updatesOf(source);
    source.getText("content").insert(0, "some text");
    source.getText("content").format(0, 4, { bold: true });
    source.getText("content").delete(2, 3);
    for (const update of updates) {
      for (let index = 0; index < update.length; index += 3) {
        const changed = Buffer.from(update);
        changed[index] = (changed[index] ?? 0) ^ 0x15;
        expect([200, 400]).toContain((await send(as, changed)).status);
      }
    }
    expect((await read(as)).update).toEqual(expect.any(String));
    await mergeNow(as);
    expect((await read(as, { stateVector: "AA==" })).update).toEqual(expect.any(String));
  });
});

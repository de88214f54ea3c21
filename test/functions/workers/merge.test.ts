import { afterEach, describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { merge } from "../../../functions/workers/merge.ts";
import { mergeJob } from "../../../lib/crdt/merge-job.ts";
import { compact, merge as mergeUpdates } from "../../../lib/crdt/updates.ts";
import * as JobStore from "../../../lib/jobs/store.ts";
import { wake } from "../../../lib/jobs/wake.ts";
import * as CrdtContent from "../../../lib/store/crdt/crdt-updates.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import type { Credentials } from "../../support/call.ts";
import { add, bytes, editorOf, mergeNow, read, refOf, send, textOf, typed, updatesOf } from "../../support/crdt.ts";
import { newDocument } from "../../support/feature-data.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";

afterEach(() => void vi.restoreAllMocks());

async function withText(data = ""): Promise<Credentials> {
  const as = await newDocument();
  await add(as, { type: "text", data });
  return as;
}

const entitiesOf = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).map(({ entity }) => String(entity)).filter((each) => each.startsWith("editor-"));

const jobOf = async (as: Credentials) =>
  mergeJob({ ...(await refOf(as)), generation: (await editorOf(as)).generation });

describe("a merge", () => {
  it("leaves one content, without updates and former parts", async () => {
    const as = await withText("x".repeat(800_000));
    for (const change of typed(["a", "b", "c"])) await send(as, change);
    await mergeNow(as);
    const parts = Array.from({ length: 3 }, () => "editor-state-part");
    expect(await entitiesOf(as)).toEqual(["editor-content", ...parts]);
    expect((await textOf(as)).replaceAll("x", "")).toBe("abc");
  });

  it("keeps updates that come while it runs", async () => {
    const as = await withText();
    const changes = typed([..."abcdef"]);
    for (const change of changes.slice(0, 2)) await send(as, change);
    let next = 2;
    interceptStore(async ({ constructor: { name } }) => {
      if (!/^(?:BatchWrite|Query)Command$/.test(name)) return;
      const change = changes[next++];
      if (change) await send(as, change);
    });
    await mergeNow(as);
    vi.restoreAllMocks();
    for (const change of changes.slice(next)) await send(as, change);
    expect(await textOf(as)).toBe("abcdef");
    await mergeNow(as);
    expect(await textOf(as)).toBe("abcdef");
  });

  it("is seen whole by a reader that began before it", async () => {
    const as = await withText("x".repeat(400_000));
    for (const change of typed(["a", "b"])) await send(as, change);
    const ref = await refOf(as);
    let isRaced = false;
    interceptStore(async ({ constructor: { name } }) => {
      if (isRaced || name !== "QueryCommand") return;
      isRaced = true;
      await mergeNow(as);
    });
    const content = await CrdtContent.read(ref);
    expect(isRaced).toBe(true);
    const document = new Y.Doc();
    for (const each of content?.updates ?? []) Y.applyUpdate(document, each);
    expect(document.getText("content").toString().replaceAll("x", "")).toBe("ab");
  });

  it("removes deleted text", async () => {
    const as = await withText();
    const document = new Y.Doc();
    const updates = updatesOf(document);
    const text = document.getText("content");
    text.insert(0, "secret".repeat(1_000));
    text.delete(0, 5_990);
    for (const update of updates) await send(as, update);
    await mergeNow(as);
    expect((await read(as)).data).toBe("secret".repeat(1_000).slice(5_990));
    expect((await editorOf(as)).sizeBytes).toBeLessThan(100);
  });

  it("runs again after it has failed for good, when an update wakes it", async () => {
    const as = await withText();
    const job = await jobOf(as);
    await wake([job]);
    const claim = await JobStore.claim(job.id, 60_000);
    await JobStore.finish(claim.job as JobStore.Running, "failed");
    for (const change of typed(["a", "b"])) expect((await send(as, change)).status).toBe(200);
    expect(await textOf(as)).toBe("ab");
    await mergeNow(as);
    expect(await entitiesOf(as)).toEqual(["editor-content", "editor-state-part"]);
    expect(await textOf(as)).toBe("ab");
  });

  it("does not integrate the updates from the third attempt on, and keeps them all", async () => {
    const as = await withText();
    for (const change of typed([..."abc"])) await send(as, change);
    const job = await jobOf(as);
    await wake([job]);
    for (const _ of [1, 2]) {
      interceptStore(async ({ constructor: { name } }) => {
        if (name === "QueryCommand") throw new Error("The process died.");
      });
      await receive(merge, [job.id]);
      vi.restoreAllMocks();
      const stored = await JobStore.get(job.id);
      vi.setSystemTime(Number(stored?.dueAt));
    }
    await receive(merge, [job.id]);
    vi.useRealTimers();
    const { update } = await read(as);
    expect((await editorOf(as)).sizeBytes).toBe(bytes(update).byteLength);
    // Three items of one character, and not one of three.
    expect(bytes(update).byteLength).toBeGreaterThan(compact(bytes(update)).byteLength);
    expect(await textOf(as)).toBe("abc");
  });
});

describe("10,000 updates of one character", () => {
  const characters = 10_000;
  const oneText = Y.encodeStateAsUpdate(
    (() => {
      const document = new Y.Doc();
      document.getText("content").insert(0, "a".repeat(characters));
      return document;
    })(),
  ).byteLength;

  it.each([1, 16])("of %d clients take at most twice the bytes of one text after merges", async (clients) => {
    const documents = Array.from({ length: clients }, () => new Y.Doc());
    const updates = documents.map(updatesOf);
    for (let index = 0; index < characters; index++) {
      const text = documents[index % clients]?.getText("content");
      text?.insert(text.length, "a");
    }
    // The updates of all clients in turn, merged as often as the job merges them.
    const all = Array.from(
      { length: characters },
      (_, index) => updates[index % clients]?.[Math.floor(index / clients)],
    );
    let content: Uint8Array = new Uint8Array([0, 0]);
    for (let start = 0; start < characters; start += 256) {
      content = compact(mergeUpdates([content, ...(all.slice(start, start + 256) as Uint8Array[])]));
    }
    const document = new Y.Doc();
    Y.applyUpdate(document, content);
    expect(document.getText("content").length).toBe(characters);
    expect(content.byteLength).toBeLessThan(2 * oneText);
  });
});

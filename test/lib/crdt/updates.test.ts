import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import {
  compact,
  isEmpty,
  isStateVector,
  isUpdate,
  merge,
  missingIn,
  stateVectorOf,
} from "../../../lib/crdt/updates.ts";
import { updatesOf } from "../../support/crdt.ts";
import fc from "../../support/property.ts";

/** A change of one of three clients: it inserts text, deletes text, or loads what the others have. */
const change = fc.record({
  client: fc.nat(2),
  kind: fc.constantFrom("insert", "insert", "delete", "format", "load"),
  at: fc.nat(100),
  text: fc.string({ minLength: 1, maxLength: 5 }),
});
const histories = fc.record({
  changes: fc.array(change, { maxLength: 40 }),
  order: fc.array(fc.nat()),
  pieces: fc.integer({ min: 1, max: 5 }),
});

/** Makes the changes. Returns all updates, in the order in which they were made. */
function made(changes: { client: number; kind: string; at: number; text: string }[]): Uint8Array[] {
  const documents = [0, 1, 2].map(() => new Y.Doc());
  const updates: Uint8Array[] = [];
  const own = documents.map(updatesOf);
  for (const { client, kind, at, text } of changes) {
    const document = documents[client] as Y.Doc;
    const shared = document.getText("content");
    const place = shared.length === 0 ? 0 : at % shared.length;
    if (kind === "insert") shared.insert(place, text);
    if (kind === "delete" && shared.length > 0) shared.delete(place, 1);
    if (kind === "format" && shared.length > 0) shared.format(place, 1, { bold: true });
    if (kind === "load") for (const update of updates) Y.applyUpdate(document, update, "remote");
    updates.push(...(own[client] ?? []).splice(0));
  }
  return updates;
}

function deltaOf(...updates: Uint8Array[]): unknown {
  const document = new Y.Doc();
  for (const update of updates) Y.applyUpdate(document, update);
  return document.getText("content").toDelta();
}

describe("merge", () => {
  it("has the content of all updates, in any order, in steps, and with repeated ones", () => {
    fc.assert(
      fc.property(histories, ({ changes, order, pieces }) => {
        const updates = made(changes);
        const expected = deltaOf(...updates);
        const mixed = updates
          .map((update, index) => ({ update, place: order[index] ?? 0 }))
          .sort((one, other) => one.place - other.place)
          .map(({ update }) => update);
        const size = Math.ceil(mixed.length / pieces);
        let content = merge([]);
        for (let start = 0; start < mixed.length; start += size) {
          content = compact(merge([content, ...mixed.slice(start, start + size), ...mixed.slice(0, 2)]));
        }
        expect(deltaOf(content)).toEqual(expected);
        expect(deltaOf(merge(mixed))).toEqual(expected);
      }),
    );
  });

  it("keeps an update whose predecessor has not come yet", () => {
    const updates = made(["a", "b", "c"].map((text, at) => ({ client: 0, kind: "insert", at, text })));
    const [first, ...others] = updates as [Uint8Array, ...Uint8Array[]];
    expect(deltaOf(compact(merge(others)), first)).toEqual(deltaOf(...updates));
  });

  it("merges 5,000 updates in less than a few seconds, in any order", () => {
    const text = (at: number) => ({ client: at % 3, kind: "insert", at, text: "a" });
    const updates = made(Array.from({ length: 5_000 }, (_, at) => text(at)));
    const reversed = [...updates].reverse();
    const startedAt = performance.now();
    expect(compact(merge(reversed)).byteLength).toBeGreaterThan(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

it("missingIn has what a state vector lacks, and both together are the whole", () => {
  const updates = made(["a", "b", "c"].map((text, at) => ({ client: 0, kind: "insert", at, text })));
  const [first] = updates as [Uint8Array];
  const whole = merge(updates);
  const missing = missingIn(whole, stateVectorOf(first));
  expect(missing.byteLength).toBeLessThan(whole.byteLength);
  expect(deltaOf(first, missing)).toEqual(deltaOf(...updates));
  expect(isEmpty(missingIn(whole, stateVectorOf(whole)))).toBe(true);
});

describe("isUpdate and isStateVector", () => {
  it("accept all that Yjs makes", () => {
    fc.assert(
      fc.property(histories, ({ changes }) => {
        const updates = made(changes);
        for (const each of [...updates, merge(updates), compact(merge(updates))]) {
          expect(isUpdate(each)).toBe(true);
          expect(isStateVector(stateVectorOf(each))).toBe(true);
        }
      }),
    );
  });

  it("refuse other bytes without an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        expect([true, false]).toContain(isUpdate(new Uint8Array(bytes)));
        expect([true, false]).toContain(isStateVector(new Uint8Array(bytes)));
      }),
    );
    expect([isUpdate(new Uint8Array()), isStateVector(new Uint8Array())]).toEqual([false, false]);
  });
});

import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { compact, isEmpty, isStateVector, merge, missingIn, stateVectorOf } from "../../../lib/crdt/updates.ts";
import { histories, made } from "../../support/crdt-histories.ts";
import fc from "../../support/property.ts";

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

describe("isStateVector", () => {
  it("accepts all that Yjs makes", () => {
    fc.assert(
      fc.property(histories, ({ changes }) => {
        for (const each of made(changes)) expect(isStateVector(stateVectorOf(each))).toBe(true);
      }),
    );
  });

  it("refuses other bytes without an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        expect([true, false]).toContain(isStateVector(new Uint8Array(bytes)));
      }),
    );
    expect(isStateVector(new Uint8Array())).toBe(false);
  });
});

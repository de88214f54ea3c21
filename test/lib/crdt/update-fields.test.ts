import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { normalForm } from "../../../lib/crdt/update-fields.ts";
import { compact, merge, noContent } from "../../../lib/crdt/updates.ts";
import { varUint } from "../../support/crdt.ts";
import { histories, made } from "../../support/crdt-histories.ts";
import fc from "../../support/property.ts";

const most = Number.MAX_SAFE_INTEGER;
const text = (value: string) => [...varUint(Buffer.byteLength(value)), ...Buffer.from(value)];
/** Bytes of an update. Numbers in a list of their own are variable-length integers. */
const update = (...parts: (number[] | number)[]) =>
  new Uint8Array(parts.flatMap((part) => (Array.isArray(part) ? part : varUint(part))));
/** One item of client 5 with this content, in the shared type `a`. */
const item = (kind: number, ...content: number[]) => update(1, 1, 5, 0, kind, 1, text("a"), content, 0);
const nested = (levels: number) => text("[".repeat(levels) + "]".repeat(levels));
const nestedAny = (levels: number) => [...Array.from({ length: levels }, () => [117, 1]).flat(), 126];
const [json, embed, format, any, subdocument] = [2, 5, 6, 8, 9] as const;

describe("the normal form", () => {
  it("is the update itself for all that Yjs makes", () => {
    fc.assert(
      fc.property(histories, ({ changes }) => {
        const updates = made(changes);
        for (const each of [...updates, compact(merge(updates))]) {
          expect(Buffer.from(normalForm(each) as Uint8Array).equals(each)).toBe(true);
        }
        expect(normalForm(merge(updates))).toBeDefined();
      }),
    );
  });

  it("of values that Yjs writes longer has the bytes that a merge takes", () => {
    const sent = update(1, 1, 5, 0, json, 1, text("a"), 100, Array.from({ length: 100 }, () => text("1e20")).flat(), 0);
    const normal = normalForm(sent) as Uint8Array;
    expect(normal.byteLength).toBeGreaterThan(4 * sent.byteLength);
    expect(merge([normal, noContent])).toEqual(normal);
  });

  it.each([
    ["values of 63 levels", item(any, 1, ...nestedAny(63))],
    ["an embedded object of 63 levels", item(embed, ...nested(63))],
    ["a subdocument", item(subdocument, ...text("id"), 118, 0)],
    ["an item beside one of another client, which is not there", update(1, 1, 5, 0, [128 + 4], 6, 9, text("x"), 0)],
    ["the last clock", update(1, 1, 5, 0, 0, most, 0)],
    ["a gap", update(1, 2, 5, 0, 0, 1, 10, 3, 0)],
  ])("exists for %s", (_, bytes) => {
    expect(normalForm(bytes)).toBeDefined();
  });

  it.each([
    ["that is cut off", update(1, 1, 5)],
    ["that bytes follow", update(0, 0, 0)],
    ["with text that is no JSON", item(embed, ...text("{"))],
    ["with values of 65 levels", item(any, 1, ...nestedAny(65))],
    ["with values of 20,000 levels", item(any, 1, ...nestedAny(20_000))],
    ["with JSON of 10,000 levels", item(json, 1, ...nested(10_000))],
    ["with an embedded object of 10,000 levels", item(embed, ...nested(10_000))],
    ["with formatting of 10,000 levels", item(format, ...text("bold"), ...nested(10_000))],
    ["with a subdocument whose id is no text", item(subdocument, ...text("id"), 118, 1, ...text("guid"), 118, 0)],
    ["with clocks above 2^53", update(1, 2, 5, 0, 0, most, 0, 1, 0)],
    ["with deletions above 2^53", update(0, 1, 5, 1, most, most)],
    ["with an item without length", update(1, 1, 5, 0, 0, 0, 0)],
    [
      "with clients in ascending order, of which a merge loses the second one",
      update(2, 1, 1, 0, 0, 9, 1, 9, 0, 0, 1, 0),
    ],
    ["with an item that is its own parent", update(1, 1, 5, 0, 4, 0, 5, 0, text("x"), 0)],
    ["with an item on the left of itself", update(1, 1, 5, 0, [128 + 4], 5, 0, text("x"), 0)],
    ["with an item on the right of itself", update(1, 1, 5, 0, [64 + 4], 5, 0, text("x"), 0)],
    ["with an item beside a later one of its client", update(1, 1, 5, 7, [128 + 4], 5, 9, text("x"), 0)],
    ["with a client twice", update(2, 1, 5, 0, 0, 1, 1, 5, 7, 0, 1, 0)],
  ])("does not exist for an update %s", (_, bytes) => {
    expect(normalForm(bytes)).toBeUndefined();
  });

  it("of updates with wrong bytes can be merged, and the merge is an update again", () => {
    const change = fc.record({ at: fc.nat(), value: fc.nat(255) });
    fc.assert(
      fc.property(histories, fc.array(change, { maxLength: 4 }), ({ changes }, others) => {
        const accepted = made(changes).flatMap((each, index) => {
          const bytes = new Uint8Array(each);
          const other = others[index];
          if (other) bytes[other.at % bytes.length] = other.value;
          return normalForm(bytes) ?? [];
        });
        const merged = merge(accepted);
        expect(() => Y.encodeStateVectorFromUpdate(merge([merged, noContent]))).not.toThrow();
        expect(normalForm(merged)).toBeDefined();
      }),
    );
  });
});

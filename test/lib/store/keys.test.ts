import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Key, keys, segment, shardCount, shardOf } from "../../../lib/store/keys.ts";

/** Ids that try to look like keys, and ids of every length up to 256 four-byte characters. */
const id = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 256 }),
  fc.string({ unit: fc.constantFrom("#", "%", "~", "2", "3", "5", "O", "D", "U", "a"), minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom("🦜", "#", "%"), minLength: 60, maxLength: 256 }),
  fc.constantFrom("__proto__", "constructor", "1", "W#w", "ORG", "o#D#d", "%23", "%2523", "%~abc"),
);

const sha256 = (text: string) => hash("sha256", text, "hex");

/** Every kind of key that ids enter, each as a function of up to four of them. */
const families: Record<string, (a: string, b: string, c: string, d: string) => Key | string> = {
  workspace: (a) => keys.workspace(a),
  workspaceEntry: (a) => keys.workspaceEntry(a),
  setting: (a) => keys.setting(a, "switches"),
  signingKey: (a) => keys.signingKey(a),
  domain: (a, b) => keys.domain(a, b),
  organization: (a, b) => keys.organization(a, b),
  user: (a, b, c) => keys.user(a, b, c),
  folderGrant: (a, b, c, d) => keys.folderGrant(a, b, c, d),
  folder: (a, b, c) => keys.folder(a, b, c),
  document: (a, b, c) => keys.document(a, b, c),
  childDocument: (a, b, c, d) => keys.child(a, b, c, "D", d),
  childFolder: (a, b, c, d) => keys.child(a, b, c, "F", d),
  documentLocator: (a, b, c) => keys.documentLocator(a, b, c),
  documentGrant: (a, b) => keys.documentGrant(a, "2f1c7a52-0000-4000-8000-000000000000", b),
  idempotency: (a, b) => keys.idempotency(a, sha256(b)),
  idempotencyPart: (a, b) => keys.idempotencyPart(a, sha256(b), "2f1c7a52-0000-4000-8000-000000000000", 0),
  userGroup: (a, b, c) => keys.userGroup(a, b, c),
  userGroupMember: (a, b, c, d) => keys.userGroupMember(a, b, c, d),
};
const arity: Record<string, number> = { folderGrant: 4, childDocument: 4, childFolder: 4, userGroupMember: 4 };
for (const name of ["workspace", "workspaceEntry", "setting", "signingKey"]) arity[name] = 1;
for (const name of ["domain", "organization", "documentGrant", "idempotency", "idempotencyPart"]) arity[name] = 2;

const ids = fc.tuple(id, id, id, id);
/** Ids made of other keys' pieces: unescaped, an organization `o#G#g` would be a member `ORG` of the group `g` of `o`. */
const pieces = ["o", "g", "ORG", "o#G#g", "w", "w#O#o"];
const family = fc.constantFrom(...Object.keys(families));
const keyOf = (name: string, [a, b, c, d]: [string, string, string, string]) => families[name]?.(a, b, c, d) as Key;

describe("segment", () => {
  it("gives different ids different segments, and never holds a separator", () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        expect(segment(one) === segment(other)).toBe(one === other);
        expect(segment(one)).not.toContain("#");
      }),
      { numRuns: 500 },
    );
  });

  it("never takes an id for the hash of a long one", () => {
    const long = "🦜".repeat(256);
    expect(segment(segment(long))).not.toBe(segment(long));
    expect(segment(`${long.slice(2)}x`)).not.toBe(segment(long));
  });
});

describe("keys", () => {
  it("reach no other entity and no other tenant: equal keys are of equal kind and ids", () => {
    fc.assert(
      fc.property(family, family, ids, ids, (one, other, these, those) => {
        const [a, b] = [keyOf(one, these), keyOf(other, those)];
        if (a.pk !== b.pk || a.sk !== b.sk) return;
        expect(one).toBe(other);
        expect(these.slice(0, arity[one] ?? 3)).toEqual(those.slice(0, arity[one] ?? 3));
      }),
      { numRuns: 3_000 },
    );
  });

  it("are all different for ids that are made of other keys' pieces", () => {
    const combinations = (length: number): string[][] =>
      length === 0 ? [[]] : combinations(length - 1).flatMap((rest) => pieces.map((each) => [...rest, each]));
    const made = Object.keys(families).flatMap((name) =>
      combinations(arity[name] ?? 3).map((chosen) => JSON.stringify(keyOf(name, chosen as never))),
    );
    expect(new Set(made).size).toBe(made.length);
  });

  it("of one workspace never lie in a partition of another", () => {
    const tenants = ["w", "w#O#o", "w#X#1", "w%23O", "W", "W#w"];
    const within = Object.keys(families).filter((name) => name !== "workspaceEntry");
    fc.assert(
      fc.property(
        fc.constantFrom(...tenants),
        fc.constantFrom(...tenants),
        fc.constantFrom(...within),
        fc.constantFrom(...within),
        ids,
        ids,
        (one, other, first, second, [, ...these], [, ...those]) => {
          fc.pre(one !== other);
          expect(keyOf(first, [one, ...these]).pk).not.toBe(keyOf(second, [other, ...those]).pk);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("fit DynamoDB's 2,048 and 1,024 bytes, whatever the ids", () => {
    const longest = fc.constantFrom(
      "🦜".repeat(256),
      "#".repeat(100),
      "%".repeat(256),
      "é".repeat(150),
      "a".repeat(256),
    );
    fc.assert(
      fc.property(family, fc.tuple(longest, longest, longest, longest), (name, these) => {
        const { pk, sk } = keyOf(name, these);
        expect(Buffer.byteLength(pk)).toBeLessThanOrEqual(2_048);
        expect(Buffer.byteLength(sk)).toBeLessThanOrEqual(1_024);
      }),
    );
  });

  it("list a folder's documents apart from its folders, and the root's apart from every folder's", () => {
    expect(keys.child("w", "o", "", "D", "x").sk).not.toBe(keys.child("w", "o", "", "F", "x").sk);
    const atRoot = keys.children("w", "o", "");
    fc.assert(
      fc.property(id, (folderId) => {
        expect(keys.children("w", "o", folderId)).not.toBe(atRoot);
      }),
    );
  });
});

describe("shardOf", () => {
  it("is the same at every call, within bounds, and spreads ids", () => {
    const shards = Array.from({ length: 1_600 }, (_, index) => shardOf(`id ${index}`));
    expect(shardOf("id 7")).toBe(shards[7]);
    const counts = Map.groupBy(shards, (shard) => shard);
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: shardCount }, (_, shard) => shard));
    expect(Math.max(...[...counts.values()].map((each) => each.length))).toBeLessThan(200);
  });
});

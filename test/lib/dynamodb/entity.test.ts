import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { entity } from "../../../lib/dynamodb/entity.ts";
import { allShards, shardOf } from "../../../lib/dynamodb/key.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commit } from "../../../lib/jobs/commit.ts";

interface Note {
  text: string;
  size?: number | undefined;
}

const noteEntity = entity<Note>()({
  name: "note",
  attributes: ["text", "size"],
  pk: ({ book }: { book: string }) => `BOOK#${book}`,
  prefix: "NOTE#",
  sk: ({ noteId }: { noteId: string }) => noteId,
});

const spreadEntity = entity<Note>()({
  name: "spread-note",
  attributes: ["text", "size"],
  pk: ({ book }: { book: string }, shard) => `BOOK#${book}#${shard}`,
  sk: ({ noteId }: { noteId: string }) => noteId,
  shardBy: ({ noteId }) => noteId,
});

const ref = { book: "b", noteId: "n" };
const key = { pk: "BOOK#b", sk: "NOTE#n" };
/** A value with undeclared fields. Some have the names of the key's attributes and of the entity's name. */
const given = { text: "t", secret: "s", pk: "BOOK#other", sk: "other", entity: "other" };

describe("put", () => {
  it("stores the key, the entity's name and declared attributes, and nothing else", () => {
    expect(noteEntity.put(ref, given)).toEqual({ put: { ...key, entity: "note", text: "t" } });
  });

  it("has the given condition, and by default no condition", () => {
    expect(noteEntity.put(ref, { text: "t" }, "absent")).toMatchObject({ if: "absent" });
    expect(noteEntity.put(ref, { text: "t" })).not.toHaveProperty("if");
  });

  it("drops attributes with the name of an inherited property", () => {
    const inherited = JSON.parse('{"text":"t","constructor":"c","toString":"s","__proto__":{"size":1}}');
    expect(noteEntity.put(ref, inherited)).toEqual({ put: { ...key, entity: "note", text: "t" } });
  });
});

describe("update", () => {
  it("sets the entity's name and declared attributes, and nothing else", () => {
    const { text, ...undeclared } = given;
    const unchanged = { update: key, setIfAbsent: {}, remove: [] };
    expect(noteEntity.update(ref, { set: given })).toEqual({ ...unchanged, set: { entity: "note", text } });
    expect(noteEntity.update(ref, { set: undeclared as never })).toEqual({ ...unchanged, set: { entity: "note" } });
  });

  it("drops undeclared attributes from `setIfAbsent`, and keeps `remove` and the condition", () => {
    const changes = { setIfAbsent: given, remove: ["size"] } as const;
    expect(noteEntity.update(ref, changes, { text: "t" })).toEqual({
      update: key,
      set: { entity: "note" },
      setIfAbsent: { text: "t" },
      remove: ["size"],
      if: { text: "t" },
    });
  });

  it("stores the entity's name in a new item, and does not change attributes whose value is undefined", async () => {
    const stored = { book: randomUUID(), noteId: "n" };
    await commit([noteEntity.update(stored, { setIfAbsent: { text: "t" } })]);
    await commit([noteEntity.update(stored, { set: { text: undefined, size: 1 }, setIfAbsent: { text: undefined } })]);
    expect(await Table.get(noteEntity.key(stored))).toEqual({
      ...noteEntity.key(stored),
      entity: "note",
      text: "t",
      size: 1,
    });
  });
});

describe("delete", () => {
  it("has the key and the given condition, and by default no condition", () => {
    expect(noteEntity.delete(ref)).toEqual({ delete: key });
    expect(noteEntity.delete(ref, "present")).toEqual({ delete: key, if: "present" });
  });
});

describe("attributesOf", () => {
  it("returns declared attributes without the key and the entity's name", () => {
    expect(noteEntity.attributesOf({ ...given, ...key, entity: "note", size: 2 })).toEqual({ text: "t", size: 2 });
  });
});

describe("range", () => {
  it("covers exactly the items of the entity in a partition with other items", async () => {
    const book = randomUUID();
    const { pk } = noteEntity.key({ book, noteId: "" });
    await commit([
      ...["a", "b"].map((noteId) => noteEntity.put({ book, noteId }, { text: noteId })),
      { put: { pk, sk: "NOTD#z" } },
      { put: { pk, sk: "NOTF#a" } },
    ]);
    const pages = await Array.fromAsync(Table.all<Note>(noteEntity.range({ book })));
    expect(pages.flat().map(({ text }) => text)).toEqual(["a", "b"]);
  });

  it("is the whole partition when the entity has no prefix", () => {
    expect(spreadEntity.range({ book: "b" }, 7)).toEqual({ pk: "BOOK#b#7" });
    expect(noteEntity.range({ book: "b" })).toEqual({ pk: "BOOK#b", beginsWith: "NOTE#" });
  });
});

describe("an entity with shards", () => {
  it("puts an item into the shard of its id", () => {
    const noteIds = Array.from({ length: 100 }, (_, index) => `n${index}`);
    for (const noteId of noteIds) {
      expect(spreadEntity.key({ book: "b", noteId })).toEqual({ pk: `BOOK#b#${shardOf(noteId)}`, sk: noteId });
    }
    expect(new Set(noteIds.map((noteId) => spreadEntity.key({ book: "b", noteId }).pk)).size).toBe(allShards.length);
  });

  it("has a partition for each shard, and an entity without shards has one partition", () => {
    expect(spreadEntity.partitions({ book: "b" })).toEqual(allShards.map((shard) => `BOOK#b#${shard}`));
    expect(spreadEntity.partition({ book: "b" }, 3)).toBe("BOOK#b#3");
    expect(noteEntity.partitions({ book: "b" })).toEqual(["BOOK#b"]);
    expect(noteEntity.partition({ book: "b" })).toBe("BOOK#b");
  });
});

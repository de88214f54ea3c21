import { describe, expect, it } from "vitest";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { type ItemMigration, merged, migrated } from "../../../lib/format/migrated.ts";

const key = { pk: "p", sk: "s" };
const folder: Item = { ...key, entity: "folder", name: "n" };

/** To format 2: `name` becomes `title`. To format 3: `title` becomes `label`, in upper case. */
const toTitle: ItemMigration = {
  to: 2,
  entity: "folder",
  migrate: ({ name, ...item }) => [name === undefined ? item : { ...item, title: name }],
};
const toUpper: ItemMigration = {
  to: 3,
  entity: "folder",
  migrate: ({ title, ...item }) => [title === undefined ? item : { ...item, label: String(title).toUpperCase() }],
};
const merge = (moved: Item) => moved;

describe("migrated", () => {
  it("applies the migrations in the order of their formats", () => {
    const end = [{ ...key, entity: "folder", label: "N" }];
    expect(migrated(folder, [toUpper, toTitle])).toEqual(end);
    expect(migrated(migrated(folder, [toTitle])?.[0] as Item, [toTitle, toUpper])).toEqual(end);
  });

  it("changes no other entity, and no item that a call has written in the new form", () => {
    expect(migrated({ ...folder, entity: "document" }, [toTitle])).toBeUndefined();
    expect(migrated({ ...key, entity: "folder", title: "n" }, [toTitle])).toBeUndefined();
  });

  it("migrates an item again that a call of the release before has changed", () => {
    const changed = { ...key, entity: "folder", label: "N", name: "later" };
    expect(migrated(changed, [toTitle, toUpper])).toEqual([{ ...key, entity: "folder", label: "LATER" }]);
  });

  it("can replace an item by several, by one with another key, or by none", () => {
    const there = { ...folder, sk: "t" };
    const move: ItemMigration = { to: 2, entity: "folder", migrate: () => [there], merge };
    expect(migrated(folder, [move])).toEqual([there]);
    const split = { ...move, migrate: (item: Item) => (item.sk === "t" ? [item] : [there, { ...there, entity: "e" }]) };
    expect(migrated(folder, [split])).toHaveLength(2);
    expect(migrated(folder, [{ to: 2, entity: "folder", migrate: () => [] }])).toEqual([]);
  });

  it("refuses a migration that moves items and does not say what remains of two with one key", () => {
    const move: ItemMigration = { to: 2, entity: "folder", migrate: (item) => [{ ...item, sk: "t" }] };
    expect(() => migrated(folder, [move])).toThrow(
      "The migration of folder to format 2 moves items, and has no merge.",
    );
  });

  it("refuses a migration that would change an item a second time", () => {
    const counting: ItemMigration = {
      to: 2,
      entity: "folder",
      migrate: (item) => [{ ...item, count: Number(item.count ?? 0) + 1 }],
    };
    expect(() => migrated(folder, [counting])).toThrow("of folder to format 2 changes an item that it has made");
  });

  it("refuses a migration that would change what a later one has made", () => {
    const back: ItemMigration = {
      to: 3,
      entity: "folder",
      migrate: ({ title, ...item }) => [{ name: title, ...item }],
    };
    expect(() => migrated(folder, [toTitle, back])).toThrow("of folder to format 2 changes an item that it has made");
  });
});

describe("merged", () => {
  it("migrates the present item first, then asks the last migration that moves items", () => {
    const toT: ItemMigration = { to: 2, entity: "folder", migrate: (item) => [{ ...item, sk: "t" }], merge };
    const join = (moved: Item, present: Item) => ({ ...present, ...moved });
    const toU: ItemMigration = { ...toT, to: 3, migrate: (item) => [{ ...item, sk: "t" }], merge: join };
    const present = { ...folder, sk: "t", name: "p", color: "red" };
    const moved = { ...key, sk: "t", entity: "folder", label: "N" };
    expect(merged(moved, present, [toU, toT])).toEqual({ ...present, ...moved });
    expect(merged(moved, present, [toU, toTitle, toUpper])).toEqual({ ...moved, color: "red" });
  });
});

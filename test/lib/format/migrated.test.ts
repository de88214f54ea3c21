import { describe, expect, it } from "vitest";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { type ItemMigration, migrated } from "../../../lib/format/migrated.ts";

const key = { pk: "p", sk: "s" };
const folder: Item = { ...key, entity: "folder", name: "n" };

/** To format 2: `name` becomes `title`. To format 3: `title` becomes upper case, and is marked. */
const toTitle: ItemMigration = {
  to: 2,
  entity: "folder",
  migrate: ({ name, ...item }) => [name === undefined ? item : { ...item, title: name }],
};
const toUpper: ItemMigration = {
  to: 3,
  entity: "folder",
  migrate: (item) => [item.upper ? item : { ...item, title: String(item.title).toUpperCase(), upper: true }],
};

describe("migrated", () => {
  it("applies the migrations in the order of their formats, and stores the last one in the item", () => {
    const end = [{ ...key, entity: "folder", title: "N", upper: true, format: 3 }];
    expect(migrated(folder, [toUpper, toTitle])).toEqual(end);
    expect(migrated(migrated(folder, [toTitle])?.[0] as Item, [toTitle, toUpper])).toEqual(end);
  });

  it("changes no other entity, no item of the format, and no item that a call has written in the new form", () => {
    expect(migrated({ ...folder, entity: "document" }, [toTitle])).toBeUndefined();
    expect(migrated({ ...folder, format: 2 }, [toTitle])).toBeUndefined();
    expect(migrated({ ...key, entity: "folder", title: "n" }, [toTitle])).toBeUndefined();
  });

  it("can replace an item by several, by one with another key, or by none", () => {
    const [here, there] = [folder, { ...folder, sk: "t" }];
    const split: ItemMigration = { to: 2, entity: "folder", migrate: (item) => (item.sk === "t" ? [item] : [there]) };
    expect(migrated(here, [split])).toEqual([{ ...there, format: 2 }]);
    expect(migrated(here, [{ to: 2, entity: "folder", migrate: () => [] }])).toEqual([]);
  });

  it("refuses a migration that would change an item a second time", () => {
    const counting: ItemMigration = {
      to: 2,
      entity: "folder",
      migrate: (item) => [{ ...item, count: Number(item.count ?? 0) + 1 }],
    };
    expect(() => migrated(folder, [counting])).toThrow("of folder to format 2 changes an item that it has made");
  });
});

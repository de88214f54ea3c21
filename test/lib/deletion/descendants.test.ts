import { afterEach, describe, expect, it, vi } from "vitest";
import { descendantsOf } from "../../../lib/deletion/descendants.ts";
import { entities } from "../../../lib/store/entities.ts";
import { formatEntity } from "../../../lib/store/format.ts";
import { addressKeyEntity } from "../../../lib/store/messages/address-hash.ts";
import { addressCountEntity } from "../../../lib/store/messages/message-count.ts";
import { bouncedAddressEntity } from "../../../lib/store/messages/suppression.ts";
import { furnish } from "../../support/furnished-table.ts";
import { itemsOf } from "../../support/scan.ts";

const listedNames = entities.map(({ name }) => name);
/** Those of the table itself, and of its deployment. */
const namesOfTable = [formatEntity, addressKeyEntity, addressCountEntity, bouncedAddressEntity].map(({ name }) => name);
const namesInWorkspaces = listedNames.filter((name) => !namesOfTable.includes(name));

afterEach(() => void vi.restoreAllMocks());

describe("descendantsOf", () => {
  it.each([
    ["an unknown entity", { entity: "unknown" }],
    ["no entity", {}],
    ["an inherited property as its entity", { entity: "constructor" }],
  ])("throws for an item that names %s", (_, attributes) => {
    expect(() => descendantsOf("w", { pk: "W#w", sk: "X", ...attributes })).toThrow("no known entity");
  });

  it("builds no key from a missing attribute", async () => {
    const workspace = await furnish();
    for (const item of await itemsOf(workspace)) {
      expect(JSON.stringify(descendantsOf(workspace, item)), `${item.pk} ${item.sk}`).not.toContain("undefined");
    }
  });

  it("returns nothing outside of the workspace, whatever workspace the item names", async () => {
    const workspace = await furnish();
    for (const item of await itemsOf(workspace)) {
      expect(JSON.stringify(descendantsOf("own", { ...item, workspace: "other" }))).not.toContain("W#other");
    }
  });
});

describe("entities", () => {
  it("have unique names", () => {
    expect(listedNames.toSorted()).toEqual([...new Set(listedNames)].sort());
  });

  it("include the entity of every item in a workspace that has an item of each entity", async () => {
    const items = await itemsOf(await furnish());
    const unknown = items.filter(({ entity }) => !listedNames.includes(String(entity)));
    expect(unknown.map(({ pk, sk }) => `${pk} ${sk}`)).toEqual([]);
    expect([...new Set(items.map(({ entity }) => String(entity)))].sort()).toEqual(namesInWorkspaces.toSorted());
  });
});

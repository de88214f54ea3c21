// Every entity is covered by an erasure, or holds nothing of a user.
import { expect, it } from "vitest";
import { segment } from "../../../lib/dynamodb/key.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { coverage } from "../../../lib/erasure/coverage.ts";
import { userFields } from "../../../lib/erasure/event-users.ts";
import { eventSchemas } from "../../../lib/schema/events.ts";
import { entities } from "../../../lib/store/entities.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { ann, furnish } from "../../support/furnished-table.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();

it("says for each entity what an erasure does with its items", () => {
  const names = entities.map(({ name }) => name);
  const message = "Say in lib/erasure/coverage.ts what an erasure of a user does with the items of each entity.";
  expect(Object.keys(coverage).sort(), message).toEqual(names.sort());
});

/** The entities of the items that name the user in their keys or attributes. */
async function entitiesNaming(workspace: string): Promise<string[]> {
  const texts = (await itemsOf(workspace)).map((item) => [String(item.entity), JSON.stringify(item)] as const);
  const naming = texts.filter(([, text]) => text.includes(ann) || text.includes(segment(ann)));
  return [...new Set(naming.map(([entity]) => entity))].sort();
}

it("leaves no user in the table except where it says so, in a workspace that has an item of each entity", async () => {
  const workspace = await furnish();
  const before = await entitiesNaming(workspace);
  expect(before.length).toBeGreaterThan(15);
  const untouched = before.filter((entity) => coverage[entity] === "nothing");
  expect(untouched, "These items name a user, but lib/erasure/coverage.ts says `nothing`.").toEqual([]);
  await erased(await beginErasure(workspace, { userIds: [ann] }));
  expect(await entitiesNaming(workspace)).toEqual(["user"]);
});

/** Fields of events whose values are no users, although they are strings. */
const otherFields =
  /^(?:\w*(?:annotation|comment|editor|document|folder|organization|reaction|recording|migration|notification|endpoint|location|group|delivery|agent|token)Ids?|id|\w*Name|name|type|contentKey|until|notificationSource|reason|status|priority|\w*Type|organizationUserGroupId)$/i;

it("knows which fields of an event hold users", () => {
  const unknown = Object.entries(eventSchemas).flatMap(([type, schema]) =>
    stringFields(schema).flatMap((field) =>
      userFields.test(field) || otherFields.test(field) ? [] : `${type} ${field}`,
    ),
  );
  expect(unknown, "Add them to `userFields` of lib/erasure/event-users.ts, or to `otherFields` here.").toEqual([]);
});

/** The names of the fields that hold strings, or lists of strings, at any depth. */
function stringFields(schema: unknown, name = ""): string[] {
  const { type, shape, element, innerType } = (schema as { _zod: { def: Record<string, unknown> } })._zod.def;
  if (type === "string") return [name];
  if (element) return stringFields(element, name);
  if (innerType) return stringFields(innerType, name);
  return Object.entries((shape ?? {}) as object).flatMap(([key, inner]) => stringFields(inner, key));
}

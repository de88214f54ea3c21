import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { perUser } from "../../../lib/dynamodb/per-user.ts";

interface Row {
  userId: string;
  value: string;
}

it.each([
  ["kept in memory", undefined],
  ["too large to keep", 5],
])("perUser returns the same items when they are %s", async (_what, charactersMax) => {
  const range = { pk: `test#${randomUUID()}`, beginsWith: "ROW#" };
  const keyOf = (userId: string) => ({ pk: range.pk, sk: `ROW#${userId}` });
  const userIds = ["a", "b", "c#", "skipped"];
  await putAll(userIds.map((userId) => ({ put: { ...keyOf(userId), userId, value: `of ${userId}` } })));
  const keep = ({ userId, value }: Row) => (userId === "skipped" ? undefined : value);
  const valuesOf = await perUser<Row, string>({ range, keyOf, keep, ...(charactersMax && { charactersMax }) });
  expect(await valuesOf(["c#", "missing", "a", "skipped"])).toEqual(["of c#", undefined, "of a", undefined]);
});

import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { perUser } from "../../../lib/dynamodb/per-user.ts";
import { putAll } from "../../../lib/jobs/commit.ts";
import { keys } from "../../../lib/store/keys.ts";

interface Row {
  userId: string;
  value: string;
}

it.each([
  ["kept in memory", undefined],
  ["too much to keep", 5],
])("answers the same for what is %s", async (_what, charactersMax) => {
  const workspace = randomUUID();
  const keyOf = (userId: string) => keys.documentGrant(workspace, "x", userId);
  const userIds = ["a", "b", "c#", "skipped"];
  await putAll(userIds.map((userId) => ({ ...keyOf(userId), userId, value: `of ${userId}` })));
  const keep = ({ userId, value }: Row) => (userId === "skipped" ? undefined : value);
  const valuesOf = await perUser<Row, string>({ keyOf, keep, ...(charactersMax && { charactersMax }) });
  expect(await valuesOf(["c#", "missing", "a", "skipped"])).toEqual(["of c#", undefined, "of a", undefined]);
});

import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { dynamodb, holds, mockGuard, own, passed, releaseOf, runGuard } from "../../support/guard.ts";

mockGuard();

describe("the format of the items", () => {
  const older = "Migrate the items before this deployment: infra/DEPLOYMENT.md#another-table-format.";
  const newer =
    "Deploy a release that reads and writes it, or go back to a moment before the migration: infra/RESTORE.md.";

  test.each([
    [
      "a release that reads only later items",
      "2-2",
      "2",
      { version: 1 },
      `items of format 1, and this version reads format 2. (own-table) ${older}`,
    ],
    [
      "a release that writes what is not permitted yet",
      "1-2",
      "2",
      { version: 1 },
      `this version writes 2: migrate its items first. (own-table) ${older}`,
    ],
    [
      "an earlier release",
      "1-1",
      "1",
      { version: 2 },
      `items of format 2, and this version reads format 1. (own-table) ${newer}`,
    ],
    [
      "a release that writes what was closed",
      "1-2",
      "1",
      { version: 2 },
      `has format 2, and this version writes 1. (own-table) ${newer}`,
    ],
    ["an earlier release while items are migrated", "1-1", "1", { version: 2, oldest: 1 }, newer],
    ["a later release while items are migrated", "2-2", "2", { version: 2, oldest: 1 }, older],
  ])("refuses %s", async (_, reads, writes, stored, text) => {
    holds(stored);
    const { status, stderr } = await runGuard({ s: releaseOf(reads, writes) });
    expect(status).toBe(1);
    expect(stderr).toContain(text);
  });

  test.each([
    ["1-2", "1", { version: 1 }],
    ["1-2", "1", { version: 2, oldest: 1 }],
    ["1-2", "2", { version: 2, oldest: 1 }],
    ["2-3", "2", { version: 2 }],
  ])("lets pass a release that reads %s and writes %s on a table with %j", async (reads, writes, stored) => {
    holds(stored);
    expect(await runGuard({ s: releaseOf(reads, writes) })).toEqual(passed);
  });

  test("is that of the table in use, read consistently", async () => {
    await runGuard({ s: own });
    const inputs = dynamodb.commandCalls(GetItemCommand).map(({ args }) => args[0].input);
    const Key = { pk: { S: "FORMAT" }, sk: { S: "FORMAT" } };
    expect(inputs).toEqual([{ TableName: "own-table", Key, ConsistentRead: true }]);
  });

  test("is the first one for a release without the outputs", async () => {
    const { ReadFormats: _, WrittenFormat: __, ...Outputs } = own.Outputs ?? {};
    const former = { ...own, Outputs };
    expect(await runGuard({ s: former })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("reads format 1"),
    });
    holds({ version: 1 });
    expect(await runGuard({ s: former })).toEqual(passed);
  });

  test("must be a number, in the table and in the template", async () => {
    dynamodb.on(GetItemCommand).resolves({ Item: { version: { S: "two" } } });
    expect(await runGuard({ s: own })).toMatchObject({ status: 1, stderr: expect.stringContaining("no valid number") });
    holds({ version: 2 });
    expect(await runGuard({ s: releaseOf("two", "2") })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("no valid oldestRead"),
    });
  });

  test("must be readable", async () => {
    dynamodb.on(GetItemCommand).rejects(Object.assign(new Error("not allowed"), { name: "AccessDeniedException" }));
    const { status, stderr } = await runGuard({ s: own });
    expect(status).toBe(1);
    expect(stderr).toContain("The format of the items in the table own-table cannot be read: AccessDeniedException");
  });

  test("is not needed in a table of the stack in which nobody has made a workspace", async () => {
    holds(undefined);
    expect(await runGuard({ s: own })).toEqual(passed);
  });
});

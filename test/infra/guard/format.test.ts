import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { dynamodb, holds, mockGuard, own, passed, runGuard } from "../../support/guard.ts";

mockGuard();

describe("the format of the items", () => {
  test("must be that of the release", async () => {
    holds(4);
    expect(await runGuard({ s: own })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        "The table has items of format 4, and this version reads format 1. Use the version that wrote them, or other data. (own-table)",
      ),
    });
  });

  test("is that of the table in use, read consistently", async () => {
    expect(await runGuard({ s: own })).toEqual(passed);
    const inputs = dynamodb.commandCalls(GetItemCommand).map(({ args }) => args[0].input);
    const Key = { pk: { S: "FORMAT" }, sk: { S: "FORMAT" } };
    expect(inputs).toEqual([{ TableName: "own-table", Key, ConsistentRead: true }]);
  });

  test("must be a number", async () => {
    dynamodb.on(GetItemCommand).resolves({ Item: { version: { S: "two" } } });
    expect(await runGuard({ s: own })).toMatchObject({ status: 1, stderr: expect.stringContaining("no valid number") });
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

import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { HeadBucketCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { tableSchema } from "../../../infra/stack/table-schema.ts";
import {
  adoption,
  adopts,
  deployed,
  dynamodb,
  existingKeyArn,
  type Found,
  holds,
  keys,
  mockGuard,
  passed,
  restored,
  runGuard,
  s3,
  templateOf,
} from "../../support/guard.ts";

mockGuard();
const { dueIndex } = tableSchema;

describe("an adopted table, key and bucket", () => {
  const next = templateOf(adoption);

  test("pass when they are as the service needs them", async () => {
    adopts();
    expect(await runGuard({ s: next })).toEqual(passed);
  });

  test("are refused when the items have a format that the code does not read, or none", async () => {
    adopts();
    holds(4);
    const { stderr } = await runGuard({ s: next });
    expect(stderr).toContain("items of format 4, and this version reads format 1.");
    expect(stderr).toContain("(restored)");
    holds(undefined);
    expect(await runGuard({ s: next })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("The table restored has no format number"),
    });
  });

  test("are refused without the index, with the command that adds it", async () => {
    adopts({ table: { GlobalSecondaryIndexes: [{ IndexName: "due", KeySchema: keys("due", "dueAt") }] } });
    const { stderr } = await runGuard({ s: next });
    expect(stderr).toContain(
      `The table restored has no index sweep. Run: aws dynamodb update-table --table-name restored --attribute-definitions AttributeName=due,AttributeType=S AttributeName=sweepAt,AttributeType=N --global-secondary-index-updates '[{"Create":{"IndexName":"sweep","KeySchema":[{"AttributeName":"due","KeyType":"HASH"},{"AttributeName":"sweepAt","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["id"]}}}]'\n`,
    );
  });

  test("are refused with the index as the last command, since DynamoDB refuses updates while it is made", async () => {
    adopts({
      table: { DeletionProtectionEnabled: false, GlobalSecondaryIndexes: [] },
      expiry: "DISABLED",
      backups: "DISABLED",
    });
    const { stderr } = await runGuard({ s: next });
    const commands = [...stderr.matchAll(/Run: aws dynamodb (.+)/g)].map(([, command]) => command);
    expect(commands).toHaveLength(4);
    expect(commands.findIndex((each) => each?.includes("global-secondary-index-updates"))).toBe(3);
  });

  test("are refused as a restore leaves the table, with the commands that repair it", async () => {
    adopts({ table: { DeletionProtectionEnabled: false }, expiry: "DISABLED", backups: "DISABLED" });
    const { status, stderr } = await runGuard({ s: next });
    expect(status).toBe(1);
    expect(stderr.split("\n").slice(1, -1)).toEqual([
      "- The table restored deletes no expired items. Run: aws dynamodb update-time-to-live --table-name restored --time-to-live-specification Enabled=true,AttributeName=ttl",
      "- The table restored has no point-in-time recovery. Run: aws dynamodb update-continuous-backups --table-name restored --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true",
      "- The table restored has no deletion protection. Run: aws dynamodb update-table --table-name restored --deletion-protection-enabled",
    ]);
  });

  test.each([
    ["a table that is still being restored", { table: { TableStatus: "CREATING" } }, "is CREATING"],
    ["a table of another service", { table: { KeySchema: keys("id") } }, "has the keys id"],
    ["a table without the index of jobs", { table: { GlobalSecondaryIndexes: [] } }, "has no index sweep"],
    [
      "a table with an index of other keys",
      { table: { GlobalSecondaryIndexes: [{ IndexName: dueIndex.name, KeySchema: keys("due", "dueAt") }] } },
      "has an index sweep with other keys",
    ],
    [
      "a table whose index is not complete",
      { table: { GlobalSecondaryIndexes: [{ ...restored.GlobalSecondaryIndexes?.[0], IndexStatus: "CREATING" }] } },
      "The index sweep of the table restored is CREATING. Wait until it is ACTIVE.",
    ],
    ["a disabled key", { key: { KeyState: "Disabled" } }, "aws kms enable-key"],
    ["a key of another kind", { key: { KeySpec: "RSA_2048" } }, "not a symmetric one"],
    [
      "a key that waits for its deletion",
      { key: { KeyState: "PendingDeletion", DeletionDate: new Date(0) } },
      "1970-01-01T00:00:00.000Z. Run: aws kms cancel-key-deletion",
    ],
  ] satisfies [string, Found, string][])("are refused: %s", async (_, found, text) => {
    adopts(found);
    expect(await runGuard({ s: next })).toMatchObject({ status: 1, stderr: expect.stringContaining(text) });
  });

  test("are refused: a key of another region", async () => {
    adopts();
    deployed(undefined);
    const elsewhere = { ...adoption, existingKeyArn: existingKeyArn.replace("us-east-1", "eu-west-1") };
    const { stderr } = await runGuard({ s: templateOf(elsewhere) }, "--first");
    expect(stderr).toContain("is not in the region us-east-1 of the stack");
  });

  test("are refused when they do not exist", async () => {
    adopts();
    const missing = Object.assign(new Error("No such table"), { name: "ResourceNotFoundException" });
    dynamodb.on(DescribeTableCommand).rejects(missing);
    s3.on(HeadBucketCommand).rejects(Object.assign(new Error("404"), { name: "NotFound" }));
    const { stderr } = await runGuard({ s: next });
    expect(stderr).toContain("The table restored cannot be read: ResourceNotFoundException: No such table");
    expect(stderr).toContain("The bucket earlier-files cannot be read: NotFound: 404");
  });
});

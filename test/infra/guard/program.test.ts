import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
  type StackResourceSummary,
} from "@aws-sdk/client-cloudformation";
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type PointInTimeRecoveryStatus,
  type TableDescription,
  type TimeToLiveStatus,
} from "@aws-sdk/client-dynamodb";
import { DescribeKeyCommand, type KeyMetadata, KMSClient } from "@aws-sdk/client-kms";
import { HeadBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { guard } from "../../../infra/guard/program.ts";
import type { Template } from "../../../infra/guard/template.ts";
import { tableSchema } from "../../../infra/table-schema.ts";
import { fakes } from "../../support/fake-functions.ts";
import { synth } from "../../support/synth.ts";

const cloudFormation = mockClient(CloudFormationClient);
const dynamodb = mockClient(DynamoDBClient);
const kms = mockClient(KMSClient);
const s3 = mockClient(S3Client);
const mocks = [cloudFormation, dynamodb, kms, s3];
afterAll(() => mocks.forEach((mock) => void mock.restore()));

const existingKeyArn = "arn:aws:kms:us-east-1:111122223333:key/2f1c7a52-0000-4000-8000-000000000000";
const adoption = { existingTableName: "restored", existingKeyArn, existingBucketName: "earlier-files" };
const templateOf = (settings: object = {}) => synth(fakes, settings).template.toJSON() as Template;
const own = templateOf();

const { partitionKey, sortKey, dueIndex, timeToLive } = tableSchema;
const keys = (...names: string[]) => names.map((AttributeName) => ({ AttributeName, KeyType: undefined }));
const restored: TableDescription = {
  TableStatus: "ACTIVE",
  KeySchema: keys(partitionKey, sortKey),
  GlobalSecondaryIndexes: [
    {
      IndexName: dueIndex.name,
      KeySchema: keys(dueIndex.partitionKey, dueIndex.sortKey),
      Projection: { NonKeyAttributes: [...dueIndex.attributes] },
    },
  ],
};

beforeEach(() => {
  for (const mock of mocks) mock.reset();
  deployed(own);
});

function deployed(template: Template | undefined): void {
  const StackId = "arn:aws:cloudformation:us-east-1:111122223333:stack/s/1";
  const missing = Object.assign(new Error("Stack with id s does not exist"), { name: "ValidationError" });
  const description = cloudFormation.on(DescribeStacksCommand);
  const stack = { StackName: "s", StackId, CreationTime: new Date(0), StackStatus: "UPDATE_COMPLETE" as const };
  if (template) description.resolves({ Stacks: [stack] });
  else description.rejects(missing);
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: JSON.stringify(template) });
  const [LogicalResourceId] = Object.entries(own.Resources).find(([, { Type }]) => Type === "AWS::KMS::Key") ?? [];
  const key = { LogicalResourceId, PhysicalResourceId: existingKeyArn.split("/")[1] };
  cloudFormation.on(ListStackResourcesCommand).resolves({ StackResourceSummaries: [key as StackResourceSummary] });
}

interface Found {
  table?: TableDescription;
  expiry?: TimeToLiveStatus;
  backups?: PointInTimeRecoveryStatus;
  key?: Partial<KeyMetadata>;
}

/** What AWS says about an adopted table, key and bucket. The defaults are those after a restore and its repairs. */
function adopts({ table, expiry = "ENABLED", backups = "ENABLED", key }: Found = {}): void {
  const Table = { ...restored, DeletionProtectionEnabled: true, ...table };
  dynamodb.on(DescribeTableCommand).resolves({ Table });
  const TimeToLiveDescription = { AttributeName: timeToLive, TimeToLiveStatus: expiry };
  dynamodb.on(DescribeTimeToLiveCommand).resolves({ TimeToLiveDescription });
  const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus: backups };
  const ContinuousBackupsDescription = { ContinuousBackupsStatus: "ENABLED" as const, PointInTimeRecoveryDescription };
  dynamodb.on(DescribeContinuousBackupsCommand).resolves({ ContinuousBackupsDescription });
  kms
    .on(DescribeKeyCommand)
    .resolves({ KeyMetadata: { KeyId: "k", KeyState: "Enabled", KeySpec: "SYMMETRIC_DEFAULT", ...key } });
  s3.on(HeadBucketCommand).resolves({});
}

/** Runs the guard on a folder as `cdk synth` writes it. */
async function run(templates: Record<string, Template>, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "cdk-out-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const artifacts: Record<string, object> = { tree: { type: "cdk:tree" } };
  for (const [name, template] of Object.entries(templates)) {
    artifacts[name] = { type: "aws:cloudformation:stack", properties: { templateFile: `${name}.template.json` } };
    writeFileSync(join(folder, `${name}.template.json`), JSON.stringify(template));
  }
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({ artifacts }));
  const [stdout, stderr] = [[] as string[], [] as string[]];
  const io = { print: (text: string) => void stdout.push(text), printError: (text: string) => void stderr.push(text) };
  const status = await guard(["--app", folder, ...args], io);
  return { status, stdout: stdout.join(""), stderr: stderr.join("") };
}

const passed = { status: 0, stdout: "The stack s keeps its table, its key and its bucket.\n", stderr: "" };

describe("the guard", () => {
  test("lets pass the deployed template, and a first deployment", async () => {
    expect(await run({ s: own })).toEqual(passed);
    deployed(undefined);
    expect(await run({ s: own })).toEqual(passed);
  });

  test("refuses a template that drops the table, and says why", async () => {
    const next = structuredClone(own);
    const [id = ""] = Object.entries(own.Resources).find(([, { Type }]) => Type === "AWS::DynamoDB::GlobalTable") ?? [];
    delete next.Resources[id];
    const { status, stdout, stderr } = await run({ s: next });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(
      `Do not deploy the stack s:\n- The table ${id} leaves the template. To use another one, set existingTableName.\n`,
    );
  });

  test("refuses what it cannot check", async () => {
    cloudFormation.on(DescribeStacksCommand).rejects(new Error("no credentials"));
    expect(await run({ s: own })).toMatchObject({ status: 1, stderr: expect.stringContaining("no credentials") });
  });

  test("needs the name of a stack if there are several", async () => {
    const { status, stderr } = await run({ s: own, t: own });
    expect(status).toBe(1);
    expect(stderr).toContain("has the stacks s, t. Name one of them with --stack.");
    expect(await run({ s: own, t: own }, "--stack", "s")).toEqual(passed);
  });
});

describe("an adopted table, key and bucket", () => {
  const next = templateOf(adoption);

  test("pass when they are as the service needs them", async () => {
    adopts();
    expect(await run({ s: next })).toEqual(passed);
  });

  test("are refused as a restore leaves the table, with the commands that repair it", async () => {
    adopts({ table: { DeletionProtectionEnabled: false }, expiry: "DISABLED", backups: "DISABLED" });
    const { status, stderr } = await run({ s: next });
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
    ["a table without the index of jobs", { table: { GlobalSecondaryIndexes: [] } }, "has no index due"],
    ["a disabled key", { key: { KeyState: "Disabled" } }, "aws kms enable-key"],
    ["a key of another kind", { key: { KeySpec: "RSA_2048" } }, "not a symmetric one"],
    [
      "a key that waits for its deletion",
      { key: { KeyState: "PendingDeletion", DeletionDate: new Date(0) } },
      "1970-01-01T00:00:00.000Z. Run: aws kms cancel-key-deletion",
    ],
  ] satisfies [string, Found, string][])("are refused: %s", async (_, found, text) => {
    adopts(found);
    expect(await run({ s: next })).toMatchObject({ status: 1, stderr: expect.stringContaining(text) });
  });

  test("are refused: a key of another region", async () => {
    adopts();
    deployed(undefined);
    const elsewhere = { ...adoption, existingKeyArn: existingKeyArn.replace("us-east-1", "eu-west-1") };
    const { stderr } = await run({ s: templateOf(elsewhere) });
    expect(stderr).toContain("is not in the region us-east-1 of the stack");
  });

  test("are refused when they do not exist", async () => {
    adopts();
    const missing = Object.assign(new Error("No such table"), { name: "ResourceNotFoundException" });
    dynamodb.on(DescribeTableCommand).rejects(missing);
    s3.on(HeadBucketCommand).rejects(Object.assign(new Error("404"), { name: "NotFound" }));
    const { stderr } = await run({ s: next });
    expect(stderr).toContain("The table restored cannot be read: ResourceNotFoundException: No such table");
    expect(stderr).toContain("The bucket earlier-files cannot be read: NotFound: 404");
  });
});

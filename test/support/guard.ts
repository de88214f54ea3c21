// Runs the guard in this process, against mocked AWS clients.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
  type StackResourceSummary,
  type StackStatus,
} from "@aws-sdk/client-cloudformation";
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  type PointInTimeRecoveryStatus,
  type TableDescription,
  type TimeToLiveStatus,
} from "@aws-sdk/client-dynamodb";
import { DescribeKeyCommand, type KeyMetadata, KMSClient } from "@aws-sdk/client-kms";
import { type AccountLimit, GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import {
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  type LifecycleRule,
  S3Client,
} from "@aws-sdk/client-s3";
import { GetTopicAttributesCommand, SNSClient } from "@aws-sdk/client-sns";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeEach, onTestFinished } from "vitest";
import { guard } from "../../infra/guard/program.ts";
import type { Template } from "../../infra/guard/template.ts";
import { tableSchema } from "../../infra/stack/table-schema.ts";
import { format } from "../../lib/store/format.ts";
import { fakes } from "./fake-functions.ts";
import { synth } from "./synth.ts";

export const cloudFormation = mockClient(CloudFormationClient);
export const dynamodb = mockClient(DynamoDBClient);
const kms = mockClient(KMSClient);
export const s3 = mockClient(S3Client);
export const lambda = mockClient(LambdaClient);
export const sns = mockClient(SNSClient);
const mocks = [cloudFormation, dynamodb, kms, s3, lambda, sns];

export const existingKeyArn = "arn:aws:kms:us-east-1:111122223333:key/2f1c7a52-0000-4000-8000-000000000000";
export const topicArn = "arn:aws:sns:us-east-1:111122223333:s-topic";
export const adoption = { existingTableName: "restored", existingKeyArn, existingBucketName: "earlier-files" };
export const templateOf = (settings: object = {}) => synth(fakes, settings).template.toJSON() as Template;
export const own = templateOf();

const { partitionKey, sortKey, dueIndex, timeToLive } = tableSchema;
export const keys = (...names: string[]) => names.map((AttributeName) => ({ AttributeName, KeyType: undefined }));
export const restored: TableDescription = {
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

/** What a bucket of the stack has. */
export const uploadsRule: LifecycleRule = { Status: "Enabled", Expiration: { Days: 30 } };
export const closed = {
  ...{ BlockPublicAcls: true, IgnorePublicAcls: true },
  ...{ BlockPublicPolicy: true, RestrictPublicBuckets: true },
};

/** Before each test of the file, the stack of `own` is deployed, and its table has the format of this code. */
export function mockGuard(): void {
  beforeEach(() => {
    for (const mock of mocks) mock.reset();
    deployed(own);
    holds(format);
    hasExecutions({ ConcurrentExecutions: 1_000 });
    hasSubscriptions(1);
  });
  afterAll(() => mocks.forEach((mock) => void mock.restore()));
}

/** What the account can run at once. */
export function hasExecutions(AccountLimit: AccountLimit): void {
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit });
}

/** Subscriptions to the topic of the deployed stack. */
export function hasSubscriptions(confirmed: number, pending = 0): void {
  const Attributes = { SubscriptionsConfirmed: String(confirmed), SubscriptionsPending: String(pending) };
  sns.on(GetTopicAttributesCommand).resolves({ Attributes });
}

/** The format number in the table; undefined: it has none. */
export function holds(version: number | undefined): void {
  dynamodb.on(GetItemCommand).resolves(version === undefined ? {} : { Item: { version: { N: String(version) } } });
}

export function deployed(template: Template | undefined, StackStatus: StackStatus = "UPDATE_COMPLETE"): void {
  const StackId = "arn:aws:cloudformation:us-east-1:111122223333:stack/s/1";
  const missing = Object.assign(new Error("Stack with id s does not exist"), { name: "ValidationError" });
  const description = cloudFormation.on(DescribeStacksCommand);
  const stack = { StackName: "s", StackId, CreationTime: new Date(0), StackStatus };
  if (template) description.resolves({ Stacks: [stack] });
  else description.rejects(missing);
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: JSON.stringify(template) });
  const physical = {
    "AWS::KMS::Key": existingKeyArn.split("/")[1],
    "AWS::DynamoDB::GlobalTable": "own-table",
    "AWS::SNS::Topic": topicArn,
  };
  const StackResourceSummaries = Object.entries(physical).map(([type, PhysicalResourceId]) => {
    const [LogicalResourceId] = Object.entries(own.Resources).find(([, { Type }]) => Type === type) ?? [];
    return { LogicalResourceId, PhysicalResourceId } as StackResourceSummary;
  });
  cloudFormation.on(ListStackResourcesCommand).resolves({ StackResourceSummaries });
}

export interface Found {
  table?: TableDescription;
  expiry?: TimeToLiveStatus;
  backups?: PointInTimeRecoveryStatus;
  key?: Partial<KeyMetadata>;
}

/** What AWS says about an adopted table, key and bucket. The defaults are those after a restore and its repairs. */
export function adopts({ table, expiry = "ENABLED", backups = "ENABLED", key }: Found = {}): void {
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
  s3.on(GetBucketLifecycleConfigurationCommand).resolves({ Rules: [uploadsRule] });
  s3.on(GetBucketVersioningCommand).resolves({});
  s3.on(GetPublicAccessBlockCommand).resolves({ PublicAccessBlockConfiguration: closed });
}

/** Runs the guard on a folder as `cdk synth` writes it. */
export async function runGuard(templates: Record<string, Template>, ...args: string[]) {
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

export const place = "us-east-1 (account 111122223333)";
export const passed = {
  status: 0,
  stdout: `The stack s in ${place} keeps its table, its key and its bucket.\n`,
  stderr: "",
};
export const created = {
  status: 0,
  stdout: "The stack s in us-east-1 can be created.\n",
  stderr: [
    "Warning: The setting alarmEmail is empty, so the 13 alarms will tell nobody.",
    "Warning: The setting monthlyBudgetUsd is 0, so nobody will be told what the account spends.",
    "",
  ].join("\n"),
};

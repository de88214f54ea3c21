import { describe, expect, test } from "vitest";
import type { Deployable } from "../../../infra/deployables.ts";
import { type Grant, grantActions } from "../../../lib/grants.ts";
import { allPurposes } from "../../../lib/purposes.ts";
import { fakeAuthorizer, fakes, purge } from "../../support/fake-functions.ts";
import { synth } from "../../support/synth.ts";

const from = "updates@mail.example.com";
const { all, allowed, arn, idOf } = synth([...fakes, fakeAuthorizer], { emailFrom: from, live: true });
/** `end`: the end of the ARN, after `name`. */
const sesArn = (name: string, ...end: object[]) => arnOf("ses", name, ...end);
const arnOf = (service: string, name: string, ...end: unknown[]) => {
  const [region, account, partition] = ["Region", "AccountId", "Partition"].map((each) => ({ Ref: `AWS::${each}` }));
  return { "Fn::Join": ["", ["arn:", partition, `:${service}:`, region, ":", account, `:${name}`, ...end]] };
};
const channels = (name: string) =>
  arnOf("appsync", "apis/", { "Fn::GetAtt": [idOf("AWS::AppSync::Api"), "ApiId"] }, `/channelNamespace/${name}`);
const table = arn("AWS::DynamoDB::GlobalTable");
const key = arn("AWS::KMS::Key");
const files = arn("AWS::S3::Bucket");
const purgeQueue = arn("AWS::SQS::Queue", "purgequeue");

describe("IAM roles", () => {
  const statement = (Action: readonly string[], Resource: unknown) => ({
    Effect: "Allow",
    Action: Action.length === 1 ? Action[0] : Action,
    Resource,
  });
  const eachFile = { "Fn::Join": ["", [files, "/*"]] };
  // Repeats the table of lib/grants.ts on purpose: a grant that gains an action fails the test.
  const granted = {
    "table:read": statement(["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"], table),
    "table:due": statement(["dynamodb:Query"], { "Fn::Join": ["", [table, "/index/sweep"]] }),
    "table:write": statement(["dynamodb:PutItem", "dynamodb:UpdateItem"], table),
    "table:calls": {
      ...statement(["dynamodb:UpdateItem"], table),
      Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["W#*#%CALLS"] } },
    },
    "table:slots": {
      ...statement(["dynamodb:UpdateItem"], table),
      Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["W#*#%SLOTS"] } },
    },
    "table:delete": statement(["dynamodb:DeleteItem"], table),
    "table:batch": statement(["dynamodb:BatchWriteItem"], table),
    "file:read": statement(["s3:GetObject"], eachFile),
    "file:write": statement(["s3:PutObject"], eachFile),
    "file:list": statement(["s3:ListBucket"], files),
    "file:delete": statement(["s3:DeleteObject"], eachFile),
    ...Object.fromEntries(
      allPurposes.flatMap((purpose) => {
        const Condition = { StringEquals: { "kms:EncryptionContext:purpose": purpose } };
        return [
          [`key:seal:${purpose}`, { ...statement(["kms:GenerateDataKey"], key), Condition }],
          [`key:unseal:${purpose}`, { ...statement(["kms:Decrypt"], key), Condition }],
        ];
      }),
    ),
    "mail:send": {
      ...statement(
        ["ses:SendEmail", "ses:SendRawEmail"],
        [
          ...[`identity/${from}`, "identity/mail.example.com"].map((name) => sesArn(name)),
          sesArn("configuration-set/", { Ref: idOf("AWS::SES::ConfigurationSet") }),
        ],
      ),
      Condition: { StringEquals: { "ses:FromAddress": from } },
    },
    "live:publish": statement(["appsync:EventPublish"], ["doc", "user"].map(channels)),
    "queue:purge": statement(["sqs:SendMessage"], purgeQueue),
  };
  const logging = (each: Deployable) =>
    statement(
      ["logs:CreateLogStream", "logs:PutLogEvents"],
      arn("AWS::Logs::LogGroup", each.kind === "endpoint" ? "endpointlogs" : "workerlogs"),
    );

  test.each([...fakes, fakeAuthorizer])("allow $name exactly its grants and its logs", (each) => {
    const consuming = statement(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], purgeQueue);
    const expected = [
      ...each.grants.map((grant) => granted[grant as keyof typeof granted]),
      ...(each === purge ? [consuming] : []),
      logging(each),
    ];
    expect(allowed(each)).toEqual(expected);
  });

  test("are tested for every grant: this table has it, and a fake function declares it", () => {
    const kinds = Object.keys(granted).map((grant) => /^key:[a-z]+/.exec(grant)?.[0] ?? grant);
    expect([...new Set(kinds)].sort()).toEqual([...Object.keys(grantActions), "queue:purge"].sort());
    const given = fakes.flatMap(({ grants }) => grants);
    expect(Object.keys(granted).filter((grant) => !given.includes(grant as Grant) && !/^key:/.test(grant))).toEqual([]);
  });

  test("have no attached policy, and a wildcard only for the names of files and for workspaces", () => {
    // The authorizer has one. The fakes are of three sections, and API Gateway has a role for each.
    expect(all("AWS::IAM::Role").length).toBe(fakes.length + 4);
    expect(JSON.stringify(all("AWS::IAM::Role")).replaceAll(/"\/\*"|"W#\*#%(?:CALLS|SLOTS)"/g, "")).not.toContain("*");
    expect(JSON.stringify(all("AWS::IAM::Role"))).not.toMatch(/ManagedPolicyArns|dynamodb:Scan/);
    expect(all("AWS::IAM::Policy")).toEqual([]);
    expect(all("AWS::IAM::ManagedPolicy")).toEqual([]);
  });
});

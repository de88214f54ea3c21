import { describe, expect, test } from "vitest";
import type { Deployable } from "../../infra/deployables.ts";
import { grantActions } from "../../lib/grants.ts";
import { fakes, purge } from "../support/fake-functions.ts";
import { synth } from "../support/synth.ts";

const { all, allowed, arn } = synth(fakes);
const table = arn("AWS::DynamoDB::GlobalTable");
const key = arn("AWS::KMS::Key");
const files = arn("AWS::S3::Bucket");
const purgeQueue = arn("AWS::SQS::Queue", "purgequeue");

describe("permissions", () => {
  const statement = (Action: readonly string[], Resource: unknown) => ({
    Effect: "Allow",
    Action: Action.length === 1 ? Action[0] : Action,
    Resource,
  });
  const granted: Record<string, unknown> = {
    "table:due": statement(grantActions["table:due"], { "Fn::Join": ["", [table, "/index/due"]] }),
    "file:list": statement(grantActions["file:list"], files),
    ...Object.fromEntries(
      (["file:read", "file:write", "file:delete"] as const).map((each) => [
        each,
        statement(grantActions[each], { "Fn::Join": ["", [files, "/*"]] }),
      ]),
    ),
    "queue:purge": statement(["sqs:SendMessage"], purgeQueue),
    ...Object.fromEntries(
      (["table:read", "table:write", "table:delete"] as const).map((each) => [
        each,
        statement(grantActions[each], table),
      ]),
    ),
    ...Object.fromEntries(
      (["key:seal", "key:unseal"] as const).map((each) => [each, statement(grantActions[each], key)]),
    ),
  };
  const logging = (each: Deployable) =>
    statement(
      ["logs:CreateLogStream", "logs:PutLogEvents"],
      arn("AWS::Logs::LogGroup", each.kind === "endpoint" ? "endpointlogs" : "workerlogs"),
    );

  test.each(fakes)("$name may do what it declares and log, and nothing else", (each) => {
    const consuming = statement(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], purgeQueue);
    const expected = [
      ...each.grants.map((grant) => granted[grant]),
      ...(each === purge ? [consuming] : []),
      logging(each),
    ];
    expect(allowed(each)).toEqual(expected);
  });

  test("no role has an attached policy, or a wildcard other than for the names of files", () => {
    expect(all("AWS::IAM::Role").length).toBe(fakes.length + 1);
    expect(JSON.stringify(all("AWS::IAM::Role")).replaceAll('"/*"', "")).not.toContain("*");
    expect(JSON.stringify(all("AWS::IAM::Role"))).not.toMatch(/ManagedPolicyArns|dynamodb:Scan/);
    expect(all("AWS::IAM::Policy")).toEqual([]);
    expect(all("AWS::IAM::ManagedPolicy")).toEqual([]);
  });

  test("one role may invoke exactly the endpoints", () => {
    const [, invoking] = all("AWS::IAM::Role").find(([id]) => id.startsWith("apiinvoking")) ?? [];
    const endpoints = ["documentsdelete", "tokengenerate", "notfound"].map((id) => arn("AWS::Lambda::Function", id));
    expect(invoking.Policies[0].PolicyDocument.Statement).toEqual([statement(["lambda:InvokeFunction"], endpoints)]);
    for (const [, { CredentialsArn }] of all("AWS::ApiGatewayV2::Integration")) {
      expect(CredentialsArn).toEqual(arn("AWS::IAM::Role", "apiinvoking"));
    }
  });
});

import { RootConstruct } from "constructs";
import { describe, expect, test } from "vitest";
import { givenSettings, settingsOf } from "../../../infra/stack/settings.ts";

function read(context: Record<string, unknown>) {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries(context)) root.node.setContext(name, value);
  return settingsOf(root);
}

test("default settings protect the data, throttle calls and allow no private address", () => {
  expect(read({})).toMatchObject({ development: false, egressAllowCidrs: "", throttleRequestsPerSecond: 1_000 });
});

test("a string of the command line has the meaning of the value in cdk.json", () => {
  const given = { development: "true", throttleBurst: "5", logRetentionDays: "7" };
  expect(read(given)).toEqual(read({ development: true, throttleBurst: 5, logRetentionDays: 7 }));
  expect(read(given)).toMatchObject({ development: true, throttleBurst: 5 });
});

test("the settings that the context names are known apart from the defaults, also those that it sets to their default", () => {
  const root = new RootConstruct();
  root.node.setContext("alarmEmail", "");
  root.node.setContext("throttleBurst", "5");
  expect(givenSettings(root)).toEqual({ alarmEmail: "", throttleBurst: 5 });
});

test("a table, a key and a bucket are adopted by their names, and the key by its ARN", () => {
  const given = {
    existingTableName: "restored_2026-11-22.a",
    existingKeyArn: "arn:aws-cn:kms:cn-north-1:111122223333:key/mrk-2f1c7a5200004000",
    existingBucketName: "collaboration-backend-files6f97a25d-1abc",
  };
  expect(read(given)).toMatchObject(given);
});

test("private ranges can be allowed with a VPC that reaches them", () => {
  const ranges = { egressAllowCidrs: "10.1.0.0/16,172.20.0.0/16,192.168.1.1/32,100.64.0.0/10,fd12::/16" };
  const vpc = { vpcSubnetIds: "subnet-0a1b2c3d,subnet-0a1b2c3d4e5f60718", vpcSecurityGroupIds: "sg-0a1b2c3d" };
  expect(read({ ...ranges, ...vpc })).toMatchObject(ranges);
});

describe("settingsOf refuses an invalid setting and names the valid values", () => {
  test.each([
    ["stackName", "1st_stack"],
    ["cell", "EU-1"],
    ["cell", "abcdefghijklm"],
    ["development", "yes"],
    ["existingTableName", "a table"],
    ["existingTableName", "arn:aws:dynamodb:eu-west-1:111122223333:table/t"],
    ["existingKeyArn", "alias/collaboration-backend"],
    ["existingKeyArn", "arn:aws:kms:eu-west-1:111122223333:alias/collaboration-backend"],
    ["existingKeyArn", "2f1c7a52-0000-4000-8000-000000000000"],
    ["existingBucketName", "with.dots"],
    ["existingBucketName", "arn:aws:s3:::files"],
    ["leavingVpc", "vpc-0a1b2c3d"],
    ["alarmEmail", "nobody"],
    ["egressAllowCidrs", "10.0.0.0"],
    ["egressAllowCidrs", "10.0.0.0/7"],
    ["egressAllowCidrs", "8.8.8.0/24"],
    ["egressAllowCidrs", "127.0.0.0/8"],
    ["egressAllowCidrs", "10.0.0.0/8,169.254.0.0/16"],
    ["egressAllowCidrs", "fe80::/10"],
    ["customDomain", "https://api.example.com"],
    ["customDomain", "API.example.com"],
    ["customDomain", "localhost"],
    ["certificateArn", "arn:aws:acm:eu-west-1:111122223333:key/0a1b"],
    ["originSecretSha256", "secret"],
    ["originSecretSha256", "A".repeat(64)],
    ["vpcSubnetIds", "subnet-0a1b2c3d subnet-0a1b2c3d4e5f60718"],
    ["vpcSubnetIds", "vpc-0a1b2c3d"],
    ["vpcSubnetIds", "subnet-1"],
    ["vpcSecurityGroupIds", Array(6).fill("sg-0a1b2c3d").join()],
    ["aiOrigins", "example.com"],
    ["aiOrigins", "https://example.com/"],
    ["permissionProviderOrigins", "http://example.com"],
    ["permissionProviderOrigins", "https://example.com,none"],
    ["live", "yes"],
    ["tokenIssuer", "two words"],
    ["notificationRetentionDays", 0],
    ["notificationRetentionDays", 3_651],
    ["notificationRetentionDays", "1.5"],
    ["notificationRetentionDays", "forever"],
    ["logRetentionDays", "31"],
    ["ingestBudgetSeconds", 27],
    ["workspaceCallsPerSecond", 0],
    ["webhookEndpointsMax", 501],
    ["workerConcurrency", 0],
    ["throttleRequestsPerSecond", ""],
    ["throttleBurst", "1.5"],
    ["throttleBurst", "many"],
  ])("%s %j", (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`${name} must be`);
  });

  test.each([
    ["egressAllowCidrs needs vpcSubnetIds", { egressAllowCidrs: "10.0.0.0/8" }],
    ["vpcSubnetIds and vpcSecurityGroupIds must be set together", { vpcSubnetIds: "subnet-0a1b2c3d" }],
    ["vpcSubnetIds and vpcSecurityGroupIds must be set together", { vpcSecurityGroupIds: "sg-0a1b2c3d" }],
    ["customDomain and certificateArn must be set together", { customDomain: "api.example.com" }],
    [
      "leavingVpc has no effect",
      { leavingVpc: true, vpcSubnetIds: "subnet-0a1b2c3d", vpcSecurityGroupIds: "sg-0a1b2c3d" },
    ],
    ["disableDefaultEndpoint needs customDomain", { disableDefaultEndpoint: true }],
  ])("%s: settings without the one that they need", (message, context) => {
    expect(() => read(context)).toThrow(message);
  });

  test("several invalid settings with one message", () => {
    expect(() => read({ throttleBurst: 0, development: 1 })).toThrow(/development[\s\S]*throttleBurst/);
  });
});

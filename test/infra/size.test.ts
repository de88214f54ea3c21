// The limits of CloudFormation, IAM and API Gateway, for the functions of today and for those to come.
import { describe, expect, test } from "vitest";
import { deployables, endpoints } from "../../infra/deployables.ts";
import { functionsPerRole } from "../../infra/stack/invoking-roles.ts";
import { allSettings } from "../support/all-settings.ts";
import { fakeEndpoint } from "../support/fake-functions.ts";
import { synth } from "../support/synth.ts";

const kilobyte = 1_024;
/** The longest ARN of a function: with the longest partition, region and name. */
const longestArn = "a".repeat(123);
const grants = [
  "table:read",
  "table:write",
  "key:seal:webhook-secret",
  "key:unseal:webhook-secret",
  "queue:purge",
] as const;

/** The functions of today, and dummies up to the number of endpoints. */
function withEndpoints(count: number, settings = {}) {
  const dummies = Array.from({ length: count - endpoints.length }, (_, index) =>
    fakeEndpoint({ name: `an-endpoint-with-a-rather-long-name-${index}`, grants, callsOut: true }),
  );
  return synth([...dummies, ...deployables], settings);
}

/** The characters of the value in a deployment, at most: in place of each reference, the longest ARN. */
function charactersOf(value: unknown): number {
  const isReference = (each: unknown) => /^(?:Ref|Fn::GetAtt)$/.test(Object.keys(Object(each))[0] ?? "");
  const joined = (_: string, each: unknown) => {
    const [separator, parts] = (Object(each)["Fn::Join"] ?? []) as [string, unknown[]];
    if (parts) return parts.map((part) => (isReference(part) ? longestArn : part)).join(separator);
    return isReference(each) ? longestArn : each;
  };
  return JSON.stringify(value, joined).length;
}

describe.each([
  ["the functions of today", endpoints.length, 370, {}],
  ["120 endpoints, alarms by email, a budget, a domain and a VPC", 120, 450, allSettings],
])("with %s", (_, count, resourcesMax, settings) => {
  const { all, resources, template } = withEndpoints(count, settings);

  test("the stack has what the settings add, beside its alarms and its dashboard", () => {
    const counts = ["Budgets::Budget", "ApiGatewayV2::DomainName", "SNS::Subscription"].map(
      (type) => all(`AWS::${type}`).length,
    );
    expect(counts).toEqual(settings === allSettings ? [1, 1, 1] : [0, 0, 0]);
    const inVpc = all("AWS::Lambda::Function").filter(([, { VpcConfig }]) => VpcConfig);
    expect(inVpc.length > 0).toBe(settings === allSettings);
    expect(all("AWS::CloudWatch::Alarm").length).toBeGreaterThan(10);
    expect(all("AWS::CloudWatch::Dashboard")).toHaveLength(1);
  });

  test(`the stack has at most ${resourcesMax} resources`, () => {
    expect(resources.length).toBeLessThanOrEqual(resourcesMax);
  });

  test("the template has at most 1 MB, CloudFormation's limit for a file in S3", () => {
    expect(Buffer.byteLength(JSON.stringify(template.toJSON()))).toBeLessThan(kilobyte ** 2);
  });

  test("the API's document has at most 1 KB for each endpoint", () => {
    const [[, { Body }] = []] = all("AWS::ApiGatewayV2::Api");
    expect(Object.keys(Body.paths)).toHaveLength(count);
    expect(charactersOf(Body)).toBeLessThan(count * kilobyte);
  });

  test("the inline policies of each role have at most 10,240 characters, IAM's limit", () => {
    for (const [, { Policies = [] }] of all("AWS::IAM::Role")) {
      const documents = Policies.map((policy: { PolicyDocument: object }) => policy.PolicyDocument);
      expect(charactersOf(documents)).toBeLessThanOrEqual(10_240);
    }
  });
});

test("a role invokes up to 60 functions of a section, and all roles together every function once", () => {
  const count = endpoints.length + functionsPerRole + 1;
  const { all } = withEndpoints(count);
  const invoked = all("AWS::IAM::Role").flatMap(([id, { Policies }]) =>
    id.startsWith("apiinvoking") ? [[Policies[0].PolicyDocument.Statement[0].Resource].flat()] : [],
  );
  expect(functionsPerRole).toBe(60);
  for (const [id, { Policies }] of all("AWS::IAM::Role")) {
    if (id.startsWith("apiinvoking")) expect(charactersOf(Policies[0].PolicyDocument)).toBeLessThanOrEqual(10_240);
  }
  expect(Math.max(...invoked.map(({ length }) => length))).toBe(functionsPerRole);
  expect(new Set(invoked.flat().map((each) => JSON.stringify(each))).size).toBe(count);
});

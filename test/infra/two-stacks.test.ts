// Two stacks in one account and region.
import { expect, test } from "vitest";
import { deployables } from "../../infra/deployables.ts";
import { allSettings } from "../support/all-settings.ts";
import { synth } from "../support/synth.ts";

const names = ["stack-one", "stack-two"] as const;
const [one, two] = names.map((stackName) => synth(deployables, { ...allSettings, stackName }));
if (!one || !two) throw new Error("Two stacks are needed.");

/** Names that are not of the account: of a stage or channels in an API, of a metric in its namespace, and the operator's domain. */
const notOfAccount = new Set([
  "AWS::ApiGatewayV2::Stage StageName",
  "AWS::ApiGatewayV2::DomainName DomainName",
  "AWS::AppSync::ChannelNamespace Name",
  "AWS::CloudWatch::Alarm MetricName",
]);

/** The physical names that the template gives. Without one, CloudFormation makes a name that begins with the stack's. */
function physicalNames({ resources }: typeof one & {}): string[] {
  return resources.flatMap(([, { Type, Properties }]) => {
    const { Budget, ...own } = Properties ?? {};
    const named = Object.entries({ ...own, ...Budget }).filter(([key]) => /(?:^|[a-z])Name$/.test(key));
    return named.flatMap(([key, value]) => {
      const isName = typeof value === "string" && !notOfAccount.has(`${Type} ${key}`);
      return isName ? [`${Type} ${key} ${value}`] : [];
    });
  });
}

test("share no physical name", () => {
  expect(physicalNames(one)).toEqual(["AWS::KMS::Alias AliasName alias/stack-one", "AWS::AppSync::Api Name stack-one"]);
  const others = new Set(physicalNames(two));
  expect(physicalNames(one).filter((name) => others.has(name))).toEqual([]);
});

test("give no name to a role, a function, a queue, a log group, an alarm, a topic, a rule or a budget", () => {
  const types =
    /^AWS::(?:IAM::|Lambda::|SQS::|Logs::|SNS::|Events::|Budgets::|CloudWatch::Alarm|DynamoDB::|S3::|KMS::Key)/;
  const given = physicalNames(one).filter((name) => types.test(name));
  expect(given).toEqual([]);
});

test("export nothing, and have metrics of their own", () => {
  const outputs = Object.values(one.template.toJSON().Outputs as Record<string, { Export?: object }>);
  expect(outputs.filter(({ Export }) => Export)).toEqual([]);
  const namespaces = ({ all }: typeof one & {}) =>
    all("AWS::Logs::MetricFilter").flatMap(([, { MetricTransformations }]) =>
      MetricTransformations.map(({ MetricNamespace }: { MetricNamespace: string }) => MetricNamespace),
    );
  expect(new Set(namespaces(one))).toEqual(new Set(["stack-one"]));
  expect(new Set(namespaces(two))).toEqual(new Set(["stack-two"]));
});

test("differ in their name only", () => {
  // CDK puts a hash of the stack's name into the logical id of this permission.
  const text = ({ template }: typeof one & {}) =>
    JSON.stringify(template.toJSON()).replace(/"(\w*AllowEventRule)\w+"/g, '"$1"');
  expect(text(one).replaceAll(names[0], names[1])).toBe(text(two));
});

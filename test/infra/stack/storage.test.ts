import { App } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test } from "vitest";
import type { Deployable } from "../../../infra/deployables.ts";
import { fakes, purge } from "../../support/fake-functions.ts";
import { synth } from "../../support/synth.ts";

/** A value of a template as one text. */
function text(value: unknown): string {
  if (typeof value === "string") return value;
  const { Ref, "Fn::Join": [separator = "", parts = []] = [] } = value as {
    Ref?: string;
    "Fn::Join"?: [string, unknown[]];
  };
  return Ref ? `<${Ref}>` : parts.map(text).join(separator);
}

const kept = /^AWS::(?:DynamoDB::GlobalTable|KMS::(?:Key|Alias)|S3::Bucket(?:Policy)?)$/;

/** The logical ids of what the stack keeps, by type. */
const keptIds = ({ template }: ReturnType<typeof synth>) =>
  Object.entries(template.toJSON().Resources as Record<string, { Type: string }>).flatMap(([id, { Type }]) =>
    kept.test(Type) ? [[Type, id]] : [],
  );

test("the logical ids never change: another id would be a new, empty table, key or bucket", () => {
  expect(keptIds(synth(fakes))).toEqual([
    ["AWS::DynamoDB::GlobalTable", "table8235A42E"],
    ["AWS::KMS::Key", "keyFEDD6EC0"],
    ["AWS::KMS::Alias", "keyAliasCEB16DF2"],
    ["AWS::S3::Bucket", "files6F97A25D"],
    ["AWS::S3::BucketPolicy", "filesPolicy78CD31AF"],
  ]);
});

test("the bucket keeps its policy when it leaves the stack", () => {
  synth(fakes).template.hasResource("AWS::S3::BucketPolicy", { DeletionPolicy: "RetainExceptOnCreate" });
});

test("the stack has termination protection, unless it is for development", () => {
  expect(synth(fakes).stack.terminationProtection).toBe(true);
  expect(synth(fakes, { development: true }).stack.terminationProtection).toBe(false);
});

describe("an adopted table, key and bucket", () => {
  const existingKeyArn = "arn:aws:kms:eu-west-1:111122223333:key/2f1c7a52-0000-4000-8000-000000000000";
  const adopted = synth(fakes, {
    existingTableName: "restored",
    existingKeyArn,
    existingBucketName: "earlier-files",
  });
  test("are not in the template, so no deployment changes them", () => {
    expect(keptIds(adopted)).toEqual([]);
  });

  test("are in the environment of the functions", () => {
    expect(adopted.lambda(purge).Environment.Variables).toMatchObject({
      TABLE_NAME: "restored",
      FILE_BUCKET: "earlier-files",
    });
    expect(adopted.lambda(fakes[0] as Deployable).Environment.Variables).toMatchObject({
      TABLE_NAME: "restored",
      KMS_KEY_ID: "2f1c7a52-0000-4000-8000-000000000000",
    });
  });

  test("are the only table, key and bucket in the roles of the functions, with the index and the files", () => {
    const texts = (service: string) => {
      const statements = fakes.flatMap((each) => adopted.allowed(each));
      const own = statements.filter(({ Action }) => [Action].flat()[0]?.startsWith(`${service}:`));
      return [...new Set(own.map(({ Resource }) => text(Resource)))].sort();
    };
    expect(texts("dynamodb")).toEqual([
      "arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/restored",
      "arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/restored/index/sweep",
    ]);
    expect(texts("kms")).toEqual([existingKeyArn]);
    expect(texts("s3")).toEqual([
      "arn:<AWS::Partition>:s3:::earlier-files",
      "arn:<AWS::Partition>:s3:::earlier-files/*",
    ]);
  });

  test("are in the outputs, which the administration command reads", () => {
    expect(adopted.template.toJSON().Outputs).toMatchObject({
      TableName: { Value: "restored" },
      KeyId: { Value: "2f1c7a52-0000-4000-8000-000000000000" },
      KeyArn: { Value: existingKeyArn },
      BucketName: { Value: "earlier-files" },
    });
  });

  test("pass AWS's solutions checks", () => {
    const report = new AwsSolutionsChecks(new App()).validateScope(adopted.stack);
    expect(report.violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([]);
  });

  test("can be adopted one by one", () => {
    const types = (settings: object) => new Set(keptIds(synth(fakes, settings)).map(([type]) => type));
    expect(types({ existingTableName: "restored" })).not.toContain("AWS::DynamoDB::GlobalTable");
    expect(types({ existingTableName: "restored" })).toContain("AWS::KMS::Key");
    expect(types({ existingKeyArn })).not.toContain("AWS::KMS::Key");
    expect(types({ existingBucketName: "earlier-files" })).not.toContain("AWS::S3::Bucket");
  });
});

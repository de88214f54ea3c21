import { describe, expect, test } from "vitest";
import { lossesOf } from "../../../infra/guard/compare.ts";
import type { Resource, Template } from "../../../infra/guard/template.ts";
import { fakes } from "../../support/fake-functions.ts";
import { synth } from "../../support/synth.ts";

const templateOf = (settings: Parameters<typeof synth>[1] = {}) => synth(fakes, settings).template.toJSON() as Template;

const keyId = "2f1c7a52-0000-4000-8000-000000000000";
const existingKeyArn = `arn:aws:kms:eu-west-1:111122223333:key/${keyId}`;
const own = templateOf();
const development = templateOf({ development: true });
const adopted = templateOf({ existingTableName: "earlier", existingKeyArn, existingBucketName: "earlier-files" });
const idOf = (type: string) => Object.entries(own.Resources).find(([, { Type }]) => Type === type)?.[0] as string;
const [table, key, bucket] = [
  idOf("AWS::DynamoDB::GlobalTable"),
  idOf("AWS::KMS::Key"),
  idOf("AWS::S3::Bucket"),
] as const;
const physicalIds = { [key]: keyId };

/** The stack's own template, with one resource changed. */
function changed(id: string, change: (resource: Resource) => void): Template {
  const template = structuredClone(own);
  change(template.Resources[id] as Resource);
  return template;
}

function renamed(id: string): Template {
  const template = structuredClone(own);
  template.Resources[`${id}New`] = template.Resources[id] as Resource;
  delete template.Resources[id];
  return template;
}

const losses = (next: Template, deployed: Template | undefined = own) => lossesOf({ deployed, next, physicalIds });
const first = (next: Template) => lossesOf({ deployed: undefined, next, physicalIds: {} });

describe("the guard lets pass", () => {
  test("the same template, other settings, and a first deployment", () => {
    expect(losses(own)).toEqual([]);
    expect(losses(templateOf({ tokenIssuer: "x", logRetentionDays: 7 }))).toEqual([]);
    expect(first(own)).toEqual([]);
    expect(losses(own, development)).toEqual([]);
  });

  test("a table, a key and a bucket that leave the stack, are retained and stay in use", () => {
    expect(losses(adopted)).toEqual([]);
    expect(losses(adopted, adopted)).toEqual([]);
    expect(first(adopted)).toEqual([]);
    const restored = { existingTableName: "restored-again", existingKeyArn, existingBucketName: "copied-files" };
    expect(losses(templateOf(restored), adopted)).toEqual([]);
  });

  test("a further index with its attribute", () => {
    const next = changed(table, ({ Properties = {} }) => {
      (Properties.AttributeDefinitions as object[]).push({ AttributeName: "more", AttributeType: "S" });
    });
    expect(losses(next)).toEqual([]);
  });
});

describe("the guard refuses", () => {
  describe("indexes that no update of a table can make", () => {
    const former = { IndexName: "due", KeySchema: [{ AttributeName: "due", KeyType: "HASH" }] };
    const withIndexes = (...indexes: object[]) =>
      changed(table, ({ Properties = {} }) => void Object.assign(Properties, { GlobalSecondaryIndexes: indexes }));
    const present = own.Resources[table]?.Properties?.GlobalSecondaryIndexes as object[];

    test("another index in place of the former one, which needs two deployments", () => {
      expect(losses(own, withIndexes(former))).toEqual([
        `The template adds sweep and removes due as index of the table ${table}, and an update of a table creates or deletes one index. Deploy them one after the other: infra/DEPLOYMENT.md#another-index.`,
      ]);
      expect(losses(withIndexes(former, ...present), withIndexes(former))).toEqual([]);
      expect(losses(own, withIndexes(former, ...present))).toEqual([]);
    });

    test("two new ones", () => {
      const more = ["a", "b"].map((IndexName) => ({ ...former, IndexName }));
      expect(losses(withIndexes(...present, ...more))).toEqual([
        expect.stringContaining("Deploy them one after the other:"),
      ]);
    });

    test("other keys or attributes of an index", () => {
      const other = { ...present[0], KeySchema: former.KeySchema };
      expect(losses(withIndexes(other))).toEqual([
        `The index sweep of the table ${table} changes, and DynamoDB cannot change an index. Give the new one another name.`,
      ]);
      expect(losses(withIndexes({ ...present[0], Projection: { ProjectionType: "ALL" } }))).toHaveLength(1);
    });
  });

  test("a table without point-in-time recovery: its backups would be deleted", () => {
    const next = changed(table, ({ Properties = {} }) => {
      Object.assign((Properties.Replicas as object[])[0] as object, { PointInTimeRecoverySpecification: undefined });
    });
    expect(losses(next)).toEqual([
      `The table ${table} would lose its point-in-time recovery, and with it the backups of the last 35 days.`,
    ]);
  });

  test("another time to live", () => {
    const next = changed(table, ({ Properties = {} }) => {
      Object.assign(Properties, { TimeToLiveSpecification: { AttributeName: "createdAt", Enabled: true } });
    });
    expect(losses(next)).toEqual([expect.stringContaining(`The time to live of the table ${table} changes`)]);
  });

  test.each([
    ["table", table, "existingTableName"],
    ["key", key, "existingKeyArn"],
    ["bucket", bucket, "existingBucketName"],
  ] as const)("a %s with another logical id", (kind, id, setting) => {
    expect(losses(renamed(id))).toEqual([
      `The ${kind} ${id} leaves the template. ${id}New would be a new, empty ${kind}. Keep the construct's path, or set ${setting}.`,
    ]);
  });

  test.each([
    ["table", table, "KeySchema", [{ AttributeName: "id", KeyType: "HASH" }]],
    ["table", table, "TableName", "named"],
    ["key", key, "MultiRegion", true],
    ["bucket", bucket, "BucketName", "named"],
  ] as const)("a %s whose property %s %s changes", (kind, id, property, value) => {
    const next = changed(id, ({ Properties = {} }) => void Object.assign(Properties, { [property]: value }));
    expect(losses(next)).toEqual([
      `${property} of the ${kind} ${id} changes: CloudFormation would replace the ${kind} by an empty one.`,
    ]);
  });

  test("another type of an attribute of the table", () => {
    const next = changed(table, ({ Properties = {} }) => {
      Object.assign((Properties.AttributeDefinitions as object[])[0] as object, { AttributeType: "N" });
    });
    expect(losses(next)).toEqual([expect.stringContaining("AttributeDefinitions of the table")]);
  });

  test("development for a stack that has data", () => {
    expect(losses(development)).toEqual([
      `The table ${table} would be deleted with the stack. Leave development false for a stack that has data.`,
      `The table ${table} would lose its deletion protection. Leave development false for a stack that has data.`,
      `The key ${key} would be deleted with the stack. Leave development false for a stack that has data.`,
      `The bucket ${bucket} would be deleted with the stack. Leave development false for a stack that has data.`,
    ]);
  });

  test("a table that leaves a stack which does not retain it, although another one is adopted", () => {
    expect(losses(templateOf({ existingTableName: "earlier" }), development)).toEqual([
      `The table ${table} leaves the template and would be deleted, because the deployed stack does not retain it.`,
    ]);
  });

  test("a key that is not the one which sealed the stored secrets", () => {
    const other = existingKeyArn.replace("2f1c", "3f1c");
    const sentence = (used: string) =>
      `The stored secrets are sealed with the key ${used}, and ${other} does not open them. Set existingKeyArn to the former.`;
    expect(losses(templateOf({ existingKeyArn: other }))).toEqual([sentence(keyId)]);
    const unknown = lossesOf({ deployed: own, next: templateOf({ existingKeyArn: other }), physicalIds: {} });
    expect(unknown).toEqual([sentence(key)]);
    const set = { existingTableName: "earlier", existingKeyArn: other, existingBucketName: "earlier-files" };
    expect(losses(templateOf(set), adopted)).toEqual([sentence(existingKeyArn)]);
  });

  test("a template that forgets what the deployed stack adopts", () => {
    expect(losses(own, adopted)).toEqual([
      "The deployed stack uses the table earlier, and the template makes a new, empty one. Set existingTableName=earlier.",
      `The deployed stack uses the key ${existingKeyArn}, and the template makes a new, empty one. Set existingKeyArn=${existingKeyArn}.`,
      "The deployed stack uses the bucket earlier-files, and the template makes a new, empty one. Set existingBucketName=earlier-files.",
    ]);
  });

  test("a new stack that adopts a table without its key", () => {
    expect(first(templateOf({ existingTableName: "earlier" }))).toEqual([
      expect.stringMatching(/^The new stack adopts the table earlier and makes a new key.*Set existingKeyArn/),
    ]);
  });
});

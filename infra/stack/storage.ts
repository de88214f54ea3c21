// What a stack keeps: its table, its key and its bucket. Each is made by the stack, or adopted by a setting. An adopted
// one is not part of the template, so no deployment changes or deletes it.
import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import { AttributeType, Billing, type ITableV2, ProjectionType, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { keptDays } from "../../lib/retention.ts";
import type { Settings } from "./settings.ts";
import { tableSchema } from "./table-schema.ts";

const { dueIndex } = tableSchema;

/** What the stack needs of the table and of the bucket, its own or an adopted one. */
export type DataTable = Pick<ITableV2, "tableName" | "tableArn">;
export type FileBucket = Pick<IBucket, "bucketName" | "bucketArn" | "arnForObjects" | "node">;

// Encrypted with DynamoDB's own key. With the customer key below, every function would need kms:Decrypt to read the
// table, and could then unseal every secret.
export function addTable(scope: Construct, settings: Settings): DataTable {
  const { development, existingTableName } = settings;
  if (existingTableName) return TableV2.fromTableName(scope, "table", existingTableName);
  return new TableV2(scope, "table", {
    partitionKey: { name: tableSchema.partitionKey, type: AttributeType.STRING },
    sortKey: { name: tableSchema.sortKey, type: AttributeType.STRING },
    globalSecondaryIndexes: [
      {
        indexName: dueIndex.name,
        partitionKey: { name: dueIndex.partitionKey, type: AttributeType.STRING },
        sortKey: { name: dueIndex.sortKey, type: AttributeType.NUMBER },
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [...dueIndex.attributes],
      },
    ],
    billing: Billing.onDemand(),
    timeToLiveAttribute: tableSchema.timeToLive,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: !development,
    // Kept even if the deployment that creates it fails. Its deletion protection would refuse the deletion, and
    // then the failed stack could not be deleted either. The table that is left is empty and costs nothing.
    removalPolicy: development ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
}

/** Seals the customers' secrets. They cannot be unsealed without it, so only a development stack deletes it. */
export function addKey(scope: Construct, { development, stackName, existingKeyArn }: Settings): IKey {
  if (existingKeyArn) return Key.fromKeyArn(scope, "key", existingKeyArn);
  return new Key(scope, "key", {
    alias: stackName,
    description: `Seals the secrets that ${stackName} stores`,
    enableKeyRotation: true,
    removalPolicy: removal(development),
  });
}

/** Working copies of uploaded files. They expire together with their extraction run. */
export function addFiles(scope: Construct, { development, existingBucketName }: Settings): FileBucket {
  if (existingBucketName) return Bucket.fromBucketName(scope, "files", existingBucketName);
  const files = new Bucket(scope, "files", {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    lifecycleRules: [
      { expiration: Duration.days(keptDays.ingestRun), abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
    removalPolicy: removal(development),
  });
  // Otherwise a retained bucket would lose the policy that refuses requests without TLS.
  files.policy?.applyRemovalPolicy(removal(development));
  Validations.of(files).acknowledge({
    id: "AwsSolutions-S1",
    reason: "Only functions of this stack access the bucket, and each call is logged with its request id.",
  });
  return files;
}

/** Kept, unless the deployment that creates it fails: then nothing uses it, and the next deployment makes another. */
export function removal(development: boolean): RemovalPolicy {
  return development ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
}

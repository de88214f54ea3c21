// Checks the table, the key and the bucket that the template adopts. They must exist, and be as the service needs them.
// DynamoDB restores a table without its time to live, its point-in-time recovery and its deletion protection.
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type TableDescription,
} from "@aws-sdk/client-dynamodb";
import { DescribeKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { dueIndexAttributes, dueIndexCreation, tableSchema } from "../stack/table-schema.ts";
import { defectsOfBucket } from "./adopted-bucket.ts";
import { adoptedOf, type Kind, kinds, problemsOf, type Template } from "./template.ts";

/** Where the stack is or will be deployed. The account is unknown before the first deployment. */
export interface Place {
  region: string;
  account?: string | undefined;
}

/** Returns a sentence for each defect of an adopted table, key or bucket, with the command that mends it. */
export async function defectsOfAdopted(next: Template, place: Place): Promise<string[]> {
  const check: { [Name in Kind["name"]]: (adopted: string) => Promise<string[]> } = {
    table: defectsOfTable,
    key: (arn) => defectsOfKey(arn, place),
    bucket: defectsOfBucket,
  };
  const found = kinds.map(async (kind) => {
    const adopted = adoptedOf(kind, next);
    if (!adopted) return [];
    return check[kind.name](adopted).catch((thrown: Error) => [
      `The ${kind.name} ${adopted} cannot be read: ${thrown.name}: ${thrown.message}`,
    ]);
  });
  return (await Promise.all(found)).flat();
}

async function defectsOfTable(TableName: string): Promise<string[]> {
  const client = new DynamoDBClient({});
  const [{ Table: table = {} }, { TimeToLiveDescription: expiry }, { ContinuousBackupsDescription: backups }] =
    await Promise.all([
      client.send(new DescribeTableCommand({ TableName })),
      client.send(new DescribeTimeToLiveCommand({ TableName })),
      client.send(new DescribeContinuousBackupsCommand({ TableName })),
    ]).finally(() => client.destroy());
  const mend = (what: string, command: string) => `The table ${TableName} ${what}. Run: aws dynamodb ${command}`;
  const on = `--table-name ${TableName}`;
  const isExpiring = expiry?.AttributeName === tableSchema.timeToLive && /^ENABL/.test(expiry.TimeToLiveStatus ?? "");
  const isRecoverable = backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === "ENABLED";
  const expires = `--time-to-live-specification Enabled=true,AttributeName=${tableSchema.timeToLive}`;
  const recovers = "--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true";
  return [
    ...problemsOf([
      [table.TableStatus === "ACTIVE", `The table ${TableName} is ${table.TableStatus}. Wait until it is ACTIVE.`],
    ]),
    ...defectsOfKeys(table).map((defect) => `The table ${TableName} ${defect}, so this service cannot use it.`),
    ...problemsOf([
      [isExpiring, mend("deletes no expired items", `update-time-to-live ${on} ${expires}`)],
      [isRecoverable, mend("has no point-in-time recovery", `update-continuous-backups ${on} ${recovers}`)],
      [
        table.DeletionProtectionEnabled === true,
        mend("has no deletion protection", `update-table ${on} --deletion-protection-enabled`),
      ],
    ]),
    // The last one: while an index is made, DynamoDB refuses other updates of the table.
    ...defectsOfIndex(TableName, table, mend),
  ];
}

const keysOf = (schema: TableDescription["KeySchema"]) => schema?.map(({ AttributeName }) => AttributeName).join(", ");

const { partitionKey, sortKey, dueIndex } = tableSchema;

function defectsOfKeys({ KeySchema, GlobalSecondaryIndexes = [] }: TableDescription): string[] {
  const index = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === dueIndex.name);
  const projected = index?.Projection?.NonKeyAttributes ?? [];
  const missing = dueIndex.attributes.filter((attribute) => !projected.includes(attribute));
  const isOther = index && keysOf(index.KeySchema) !== `${dueIndex.partitionKey}, ${dueIndex.sortKey}`;
  return [
    ...(keysOf(KeySchema) === `${partitionKey}, ${sortKey}` ? [] : [`has the keys ${keysOf(KeySchema)}`]),
    ...(isOther ? [`has an index ${dueIndex.name} with other keys`] : []),
    ...(index ? missing.map((attribute) => `has an index ${dueIndex.name} without ${attribute}`) : []),
  ];
}

/** A restore can leave out indexes. */
function defectsOfIndex(
  TableName: string,
  { GlobalSecondaryIndexes = [] }: TableDescription,
  mend: (what: string, command: string) => string,
): string[] {
  const index = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === dueIndex.name);
  if (!index) {
    const attributes = dueIndexAttributes.map(
      (each) => `AttributeName=${each.AttributeName},AttributeType=${each.AttributeType}`,
    );
    const updates = `--global-secondary-index-updates '${JSON.stringify([{ Create: dueIndexCreation }])}'`;
    const command = `update-table --table-name ${TableName} --attribute-definitions ${attributes.join(" ")} ${updates}`;
    return [mend(`has no index ${dueIndex.name}`, command)];
  }
  const state = index.IndexStatus ?? "ACTIVE";
  return problemsOf([
    [state === "ACTIVE", `The index ${dueIndex.name} of the table ${TableName} is ${state}. Wait until it is ACTIVE.`],
  ]);
}

async function defectsOfKey(arn: string, { region, account }: Place): Promise<string[]> {
  const [, , , keyRegion, keyAccount] = arn.split(":");
  if (keyRegion !== region || (account && keyAccount !== account)) {
    return [
      `The key ${arn} is not in the region ${region}${account ? ` and the account ${account}` : ""} of the stack.`,
    ];
  }
  const client = new KMSClient({});
  const { KeyMetadata: key } = await client
    .send(new DescribeKeyCommand({ KeyId: arn }))
    .finally(() => client.destroy());
  if (key?.KeyState === "PendingDeletion") {
    return [
      `The key ${arn} is to be deleted on ${key.DeletionDate?.toISOString()}. Run: aws kms cancel-key-deletion --key-id ${arn} && aws kms enable-key --key-id ${arn}`,
    ];
  }
  if (key?.KeyState === "Disabled") return [`The key ${arn} is disabled. Run: aws kms enable-key --key-id ${arn}`];
  if (key?.KeyState !== "Enabled") return [`The key ${arn} is ${key?.KeyState}.`];
  return key.KeySpec === "SYMMETRIC_DEFAULT" ? [] : [`The key ${arn} is a ${key.KeySpec} key, not a symmetric one.`];
}

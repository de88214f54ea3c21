// Warns of an index of an adopted table that no release needs, because each write pays for it. The stack changes no index
// of an adopted table, so an operator must delete the former index.
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { tableSchema } from "../table-schema.ts";
import { adoptedOf, type Template, tableKind } from "./template.ts";

const { dueIndex, formerIndex } = tableSchema;

/** Returns a sentence when the adopted table has both indexes, with the command that deletes the former one. */
export async function formerIndexWarnings(next: Template): Promise<string[]> {
  const TableName = adoptedOf(tableKind, next);
  if (TableName === undefined) return [];
  const client = new DynamoDBClient({});
  const indexes = await client
    .send(new DescribeTableCommand({ TableName }))
    .then(({ Table }) => Table?.GlobalSecondaryIndexes ?? [])
    // The check of the adopted table says so.
    .catch(() => [])
    .finally(() => client.destroy());
  const has = (name: string) =>
    indexes.some(({ IndexName, IndexStatus = "ACTIVE" }) => IndexName === name && IndexStatus === "ACTIVE");
  if (!has(formerIndex.name) || !has(dueIndex.name)) return [];
  const update = JSON.stringify([{ Delete: { IndexName: formerIndex.name } }]);
  return [
    `The table ${TableName} has the index ${formerIndex.name} of an earlier release, and every write of a job pays for it. When this release is deployed and works, so that you do not go back to the earlier one, run: aws dynamodb update-table --table-name ${TableName} --global-secondary-index-updates '${update}'`,
  ];
}

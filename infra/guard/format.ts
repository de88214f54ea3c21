// Whether this release can read the items of the table. Functions that cannot read the items refuse to start, and then
// every call fails.
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { checkFormat, FormatError, formatEntity } from "../../lib/store/format.ts";
import { adoptedOf, ownOf, type Template, tableKind } from "./template.ts";

/** Returns a sentence when the release must not run on the table that the template will use. */
export async function formatProblems(
  next: Template,
  deployed: Template | undefined,
  physicalIds: Readonly<Record<string, string>>,
): Promise<string[]> {
  const adopted = adoptedOf(tableKind, next);
  const own = ownOf(tableKind, next).find(([id]) => deployed?.Resources[id] !== undefined)?.[0];
  if (adopted === undefined && own === undefined) return [];
  const table = adopted ?? physicalIds[own as string];
  if (table === undefined) return [`The name of the table ${own} is unknown, so the format of its items is too.`];
  try {
    const version = await storedFormat(table);
    if (version !== undefined) checkFormat({ version });
    // A table of the stack without a number has no workspace yet.
    else if (adopted !== undefined) {
      return [
        `The table ${table} has no format number, so no workspace was ever made in it. Set another existingTableName.`,
      ];
    }
    return [];
  } catch (thrown) {
    const { name, message } = thrown as Error;
    if (thrown instanceof FormatError) return [`${message} (${table})`];
    return [`The format of the items in the table ${table} cannot be read: ${name}: ${message}`];
  }
}

async function storedFormat(TableName: string): Promise<number | undefined> {
  const { pk, sk } = formatEntity.key({});
  const client = new DynamoDBClient({});
  const Key = { pk: { S: pk }, sk: { S: sk } };
  const { Item } = await client
    .send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))
    .finally(() => client.destroy());
  if (!Item) return undefined;
  const version = Number(Item.version?.N);
  if (!Number.isInteger(version)) throw new Error("The item FORMAT has no valid number.");
  return version;
}

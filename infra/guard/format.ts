// Whether the code of the template can read the items of the table. Functions that cannot read the items refuse to start,
// and then every call fails.
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { checkFormat, FormatError, type TableFormat } from "../../lib/format/formats.ts";
import { formatEntity } from "../../lib/store/format.ts";
import { formatsOf } from "../format-outputs.ts";
import { adoptedOf, ownOf, type Template, tableKind } from "./template.ts";

/** Returns a sentence when the template's code must not run on the table that it will use. */
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
    const stored = await storedFormat(table);
    if (stored) return problemOf(stored, table, next);
    // A table of the stack without a number has no workspace yet.
    return adopted === undefined
      ? []
      : [
          `The table ${table} has no format number, so no workspace was ever made in it. Set another existingTableName.`,
        ];
  } catch (thrown) {
    const { name, message } = thrown as Error;
    return [`The format of the items in the table ${table} cannot be read: ${name}: ${message}`];
  }
}

function problemOf(stored: TableFormat, table: string, { Outputs = {} }: Template): string[] {
  const code = formatsOf((key) => Outputs[key]?.Value as string | undefined);
  try {
    checkFormat(stored, code);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof FormatError)) throw thrown;
    const isOlder = (stored.oldest ?? stored.version) < code.oldestRead || stored.version < code.written;
    const how = isOlder
      ? "Migrate the items before this deployment: infra/DEPLOYMENT.md#another-table-format."
      : "Deploy a release that reads and writes it, or go back to a moment before the migration: infra/RESTORE.md.";
    return [`${thrown.message} (${table}) ${how}`];
  }
}

async function storedFormat(TableName: string): Promise<TableFormat | undefined> {
  const { pk, sk } = formatEntity.key({});
  const client = new DynamoDBClient({});
  const Key = { pk: { S: pk }, sk: { S: sk } };
  const { Item } = await client
    .send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))
    .finally(() => client.destroy());
  if (!Item) return undefined;
  const { version, oldest } = Item;
  const stored = { version: Number(version?.N), ...(oldest && { oldest: Number(oldest.N) }) };
  if (!Object.values(stored).every(Number.isInteger)) throw new Error("The item FORMAT has no valid number.");
  return stored;
}

import { randomUUID } from "node:crypto";
import { createTable } from "../../infra/local/table.ts";

/** Points the environment at a new table, on the engine that all tests share or on another one. */
export async function newTable(engine = process.env.PLAIN_DYNAMODB_ENDPOINT as string): Promise<void> {
  process.env.TABLE_NAME = `test-${randomUUID()}`;
  await createTable(engine, process.env.TABLE_NAME);
}

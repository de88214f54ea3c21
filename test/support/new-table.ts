import { randomUUID } from "node:crypto";
import { createTable } from "../../infra/local/table.ts";

/** Points the environment at a new table on the engine that all tests share. */
export async function newTable(): Promise<void> {
  process.env.TABLE_NAME = `test-${randomUUID()}`;
  await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB as string, process.env.TABLE_NAME);
}

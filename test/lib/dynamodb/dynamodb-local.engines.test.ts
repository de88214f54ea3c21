import { afterAll, describe, it, vi } from "vitest";
import { storeCases } from "../../support/engine/cases.ts";
import { obstacle, startDynamoDbLocal } from "../../support/engine/dynamodb-local.ts";
import { newTable } from "../../support/new-table.ts";

// Starts while vitest collects the tests: when the start fails, the report shows a skipped test with the reason.
const engine = obstacle() ?? (await startDynamoDbLocal());

if (typeof engine === "string") {
  console.warn(`SKIPPED: the store is not checked against DynamoDB Local: ${engine}.`);
  it.skip(`the store on DynamoDB Local: ${engine}`, () => {});
} else {
  // The region and the access key must not change from here on: DynamoDB Local keeps a database for each pair of them.
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", engine.endpoint);
  await newTable(engine.endpoint);
  afterAll(() => engine.stop());
  describe("the store on DynamoDB Local", () => storeCases());
}

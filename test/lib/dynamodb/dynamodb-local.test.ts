import { afterAll, describe, it, vi } from "vitest";
import { storeCases } from "../../support/engine/cases.ts";
import { obstacle, startDynamoDbLocal } from "../../support/engine/dynamodb-local.ts";
import { newTable } from "../../support/new-table.ts";

// It starts while the tests are collected, so that a failed start shows as a skipped test with its reason.
const engine = obstacle() ?? (await startDynamoDbLocal());

if (typeof engine === "string") {
  console.warn(`SKIPPED: the store is not checked against DynamoDB Local: ${engine}.`);
  it.skip(`the store on DynamoDB Local: ${engine}`, () => {});
} else {
  // Its database is named by the region and the access key, which stay as they are.
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", engine.endpoint);
  await newTable();
  afterAll(() => engine.stop());
  describe("on DynamoDB Local", () => storeCases());
}

import { afterAll, describe, it, vi } from "vitest";
import { storeCases } from "../../support/engine/cases.ts";
import { obstacle, startDynamoDbLocal } from "../../support/engine/dynamodb-local.ts";
import { newTable } from "../../support/new-table.ts";

// Started while the tests are being collected, so that a start that fails shows as a skipped test with its reason.
const engine = obstacle() ?? (await startDynamoDbLocal());

if (typeof engine === "string") {
  console.warn(`SKIPPED: the store is not checked against DynamoDB Local: ${engine}.`);
  it.skip(`the store on DynamoDB Local: ${engine}`, () => {});
} else {
  // The region and the keys make the name of its database.
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", engine.endpoint);
  await newTable();
  afterAll(() => engine.stop());
  describe("on DynamoDB Local", () => storeCases());
}

// A mocked DynamoDB client, for tests of single requests.
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, vi } from "vitest";

/** Before each test of the file: removes the replies and calls of the mock, and lets backoff take no time. */
export function mockDynamo() {
  const dynamo = mockClient(DynamoDBDocumentClient);
  beforeEach(() => void dynamo.reset());
  skipBackoff();
  return dynamo;
}

/** Backoff waits a random share of its ceiling: during each test of the file, 0 ms. */
export function skipBackoff(): void {
  beforeEach(() => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    return () => vi.restoreAllMocks();
  });
}

export const tableName = () => process.env.TABLE_NAME as string;

export const keysOf = (count: number) => Array.from({ length: count }, (_, index) => ({ pk: "p", sk: String(index) }));

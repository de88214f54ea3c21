import { BatchWriteCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { deleteAll, putAll } from "../../../lib/dynamodb/batch-write.ts";

const dynamo = mockClient(DynamoDBDocumentClient);
const table = () => process.env.TABLE_NAME as string;
const keysOf = (count: number) => Array.from({ length: count }, (_, index) => ({ pk: "p", sk: String(index) }));

beforeEach(() => {
  dynamo.reset();
  // Backoff waits a random share of its ceiling: here, none.
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

describe("putAll", () => {
  it("puts the items of many writes in one request, and repeats the unprocessed ones", async () => {
    dynamo
      .on(BatchWriteCommand)
      .resolvesOnce({ UnprocessedItems: { [table()]: [{ PutRequest: { Item: { pk: "p", sk: "1" } } }] } })
      .resolves({});
    await putAll(keysOf(2).map((put) => ({ put })));
    const requests = dynamo.commandCalls(BatchWriteCommand).map(({ args }) => args[0].input.RequestItems?.[table()]);
    const putsOf = (sks: string[]) => sks.map((sk) => ({ PutRequest: { Item: { pk: "p", sk } } }));
    expect(requests).toEqual([putsOf(["0", "1"]), putsOf(["1"])]);
  });
});

describe("deleteAll", () => {
  it("deletes 25 items a request, and repeats the unprocessed ones", async () => {
    let throttled = 1;
    dynamo.on(BatchWriteCommand).callsFake(async ({ RequestItems }) => {
      const requests = RequestItems[table()];
      return throttled-- > 0 ? { UnprocessedItems: { [table()]: requests.slice(20) } } : {};
    });
    await deleteAll(keysOf(30));
    const sizes = dynamo
      .commandCalls(BatchWriteCommand)
      .map(({ args }) => args[0].input.RequestItems?.[table()]?.length);
    expect(sizes.sort()).toEqual([25, 5, 5]);
  });

  it("deletes a repeated key once, since a batch refuses it twice", async () => {
    dynamo.on(BatchWriteCommand).resolves({});
    await deleteAll([...keysOf(2), { ...keysOf(1)[0], attribute: 1 } as never]);
    const [call] = dynamo.commandCalls(BatchWriteCommand);
    expect(call?.args[0].input.RequestItems?.[table()]).toEqual(keysOf(2).map((Key) => ({ DeleteRequest: { Key } })));
  });
});

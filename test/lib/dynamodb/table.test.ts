import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
} from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { costOf, inCall, newCallRecord } from "../../../lib/call.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { removeAll } from "../../../lib/jobs/commit.ts";

const dynamo = mockClient(DynamoDBDocumentClient);
const table = () => process.env.TABLE_NAME as string;
const keysOf = (count: number) => Array.from({ length: count }, (_, index) => ({ pk: "p", sk: String(index) }));

beforeEach(() => {
  dynamo.reset();
  // Retries wait at random between nothing and their ceiling.
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

describe("getMany", () => {
  it("asks again for unprocessed keys, and only for those, until it has them all", async () => {
    dynamo.on(BatchGetCommand).callsFake(async ({ RequestItems }) => {
      const { Keys } = RequestItems[table()];
      const [done, rest] = [Keys.slice(0, 40), Keys.slice(40)];
      return { Responses: { [table()]: done }, UnprocessedKeys: rest.length > 0 ? { [table()]: { Keys: rest } } : {} };
    });
    const found = await Table.getMany(keysOf(100));
    expect(found).toEqual(keysOf(100));
    const sizes = dynamo
      .commandCalls(BatchGetCommand)
      .map(({ args }) => args[0].input.RequestItems?.[table()]?.Keys?.length);
    expect(sizes).toEqual([100, 60, 20]);
    expect(Math.random).toHaveBeenCalledTimes(2);
  });

  it("reads a key asked for twice once, at most 100 at a time, strongly consistent", async () => {
    dynamo.on(BatchGetCommand).resolves({});
    await Table.getMany([...keysOf(150), ...keysOf(150)]);
    const inputs = dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems?.[table()]);
    expect(inputs.map((each) => each?.Keys?.length)).toEqual([100, 50]);
    expect(inputs.map((each) => each?.ConsistentRead)).toEqual([true, true]);
  });

  it("ends with the call instead of asking for ever", async () => {
    const deadline = new AbortController();
    dynamo.on(BatchGetCommand).callsFake(async ({ RequestItems }) => {
      deadline.abort(new Error("too late"));
      vi.mocked(Math.random).mockReturnValue(1);
      return { UnprocessedKeys: RequestItems };
    });
    const reading = inCall(newCallRecord("r", deadline.signal), () => Table.getMany(keysOf(1)));
    await expect(reading).rejects.toThrow();
  });

  it("shares a request with what the same call reads beside it, and with no other call", async () => {
    dynamo
      .on(BatchGetCommand)
      .callsFake(async ({ RequestItems }) => ({ Responses: { [table()]: RequestItems[table()].Keys } }));
    dynamo.on(GetCommand).callsFake(async ({ Key }) => ({ Item: Key }));
    const [one, two] = keysOf(2) as [Table.Item, Table.Item];
    const read = () => Promise.all([Table.get(one), Table.getMany([two, one])]);
    const call = () => inCall(newCallRecord("r", new AbortController().signal), read);
    expect(await Promise.all([call(), call()])).toEqual([
      [one, [two, one]],
      [one, [two, one]],
    ]);
    expect(dynamo.commandCalls(BatchGetCommand)).toHaveLength(2);
    await Table.get(one);
    expect(dynamo.commandCalls(GetCommand)).toHaveLength(1);
  });

  it("tells no two keys with the same letters apart wrongly", async () => {
    dynamo.on(BatchGetCommand).resolves({ Responses: { [table()]: [{ pk: "ab", sk: "c" }] } });
    expect(
      await Table.getMany([
        { pk: "a", sk: "bc" },
        { pk: "ab", sk: "c" },
      ]),
    ).toEqual([undefined, { pk: "ab", sk: "c" }]);
  });

  it("makes no request for nothing", async () => {
    expect(await Table.getMany([])).toEqual([]);
    expect(dynamo.calls()).toEqual([]);
  });
});

describe("all", () => {
  it("follows pages to the end, over empty ones too", async () => {
    const at = (sk: string) => ({ pk: "p", sk });
    dynamo
      .on(QueryCommand)
      .resolvesOnce({ Items: [{ sk: "a" }], LastEvaluatedKey: at("a") })
      .resolvesOnce({ Items: [], LastEvaluatedKey: at("b") })
      .resolvesOnce({ Items: [{ sk: "c" }] });
    const pages = await Array.fromAsync(Table.all<Table.Item>({ pk: "p" }));
    expect(pages.flat().map(({ sk }) => sk)).toEqual(["a", "c"]);
    const starts = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExclusiveStartKey);
    expect(starts).toEqual([undefined, at("a"), at("b")]);
  });
});

describe("removeAll", () => {
  it("deletes 25 at a time, and asks again for what was not processed", async () => {
    let throttled = 1;
    dynamo.on(BatchWriteCommand).callsFake(async ({ RequestItems }) => {
      const requests = RequestItems[table()];
      return throttled-- > 0 ? { UnprocessedItems: { [table()]: requests.slice(20) } } : {};
    });
    await removeAll(keysOf(30));
    const sizes = dynamo
      .commandCalls(BatchWriteCommand)
      .map(({ args }) => args[0].input.RequestItems?.[table()]?.length);
    expect(sizes.sort()).toEqual([25, 5, 5]);
  });
});

describe("cost", () => {
  it("counts each request and the units it consumed, also where a batch tells them per table", async () => {
    dynamo.on(GetCommand).resolves({ ConsumedCapacity: { CapacityUnits: 1 } });
    dynamo.on(BatchGetCommand).resolves({ ConsumedCapacity: [{ CapacityUnits: 2 }, { CapacityUnits: 0.5 }] });
    dynamo.on(BatchWriteCommand).resolves({ ConsumedCapacity: [{ CapacityUnits: 4 }] });
    const record = newCallRecord("r", new AbortController().signal);
    await inCall(record, async () => {
      await Table.get({ pk: "p", sk: "s" });
      await Table.getMany(keysOf(2));
      await removeAll(keysOf(2));
    });
    expect(costOf(record)).toEqual({ roundTrips: 3, readUnits: 3.5, writeUnits: 4, kmsCalls: 0 });
  });
});

import { BatchGetCommand, BatchWriteCommand, GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it, vi } from "vitest";
import { costOf, inCall, newCall } from "../../../lib/call.ts";
import { deleteAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { keysOf, mockDynamo, tableName } from "../../support/aws/mock-dynamo.ts";
import { shortPages } from "../../support/aws/short-pages.ts";

const dynamo = mockDynamo();

describe("getMany", () => {
  it("requests the unprocessed keys again until it has all items", async () => {
    dynamo.on(BatchGetCommand).callsFake(async ({ RequestItems }) => {
      const { Keys } = RequestItems[tableName()];
      const [done, rest] = [Keys.slice(0, 40), Keys.slice(40)];
      return {
        Responses: { [tableName()]: done },
        UnprocessedKeys: rest.length > 0 ? { [tableName()]: { Keys: rest } } : {},
      };
    });
    const found = await Table.getMany(keysOf(100));
    expect(found).toEqual(keysOf(100));
    const sizes = dynamo
      .commandCalls(BatchGetCommand)
      .map(({ args }) => args[0].input.RequestItems?.[tableName()]?.Keys?.length);
    expect(sizes).toEqual([100, 60, 20]);
    expect(Math.random).toHaveBeenCalledTimes(2);
  });

  it("reads each key once with strong consistency, at most 100 keys per request", async () => {
    dynamo.on(BatchGetCommand).resolves({});
    await Table.getMany([...keysOf(150), ...keysOf(150)]);
    const inputs = dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems?.[tableName()]);
    expect(inputs.map((each) => each?.Keys?.length)).toEqual([100, 50]);
    expect(inputs.map((each) => each?.ConsistentRead)).toEqual([true, true]);
  });

  it("stops at the deadline of the call", async () => {
    const deadline = new AbortController();
    dynamo.on(BatchGetCommand).callsFake(async ({ RequestItems }) => {
      deadline.abort(new Error("too late"));
      vi.mocked(Math.random).mockReturnValue(1);
      return { UnprocessedKeys: RequestItems };
    });
    const reading = inCall(newCall("r", deadline.signal), () => Table.getMany(keysOf(1)));
    await expect(reading).rejects.toThrow();
  });

  it("shares a request with concurrent reads of the same call only", async () => {
    dynamo
      .on(BatchGetCommand)
      .callsFake(async ({ RequestItems }) => ({ Responses: { [tableName()]: RequestItems[tableName()].Keys } }));
    dynamo.on(GetCommand).callsFake(async ({ Key }) => ({ Item: Key }));
    const [one, two] = keysOf(2) as [Item, Item];
    const read = () => Promise.all([Table.get(one), Table.getMany([two, one])]);
    const call = () => inCall(newCall("r"), read);
    expect(await Promise.all([call(), call()])).toEqual([
      [one, [two, one]],
      [one, [two, one]],
    ]);
    expect(dynamo.commandCalls(BatchGetCommand)).toHaveLength(2);
    await Table.get(one);
    expect(dynamo.commandCalls(GetCommand)).toHaveLength(1);
  });

  it("distinguishes keys whose concatenated parts are equal", async () => {
    dynamo.on(BatchGetCommand).resolves({ Responses: { [tableName()]: [{ pk: "ab", sk: "c" }] } });
    expect(
      await Table.getMany([
        { pk: "a", sk: "bc" },
        { pk: "ab", sk: "c" },
      ]),
    ).toEqual([undefined, { pk: "ab", sk: "c" }]);
  });

  it("makes no request for an empty list of keys", async () => {
    expect(await Table.getMany([])).toEqual([]);
    expect(dynamo.calls()).toEqual([]);
  });
});

describe("all", () => {
  it("reads all pages, and continues after an empty one", async () => {
    const at = (sk: string) => ({ pk: "p", sk });
    dynamo
      .on(QueryCommand)
      .resolvesOnce({ Items: [{ sk: "a" }], LastEvaluatedKey: at("a") })
      .resolvesOnce({ Items: [], LastEvaluatedKey: at("b") })
      .resolvesOnce({ Items: [{ sk: "c" }] });
    const pages = await Array.fromAsync(Table.all<Item>({ pk: "p" }));
    expect(pages.flat().map(({ sk }) => sk)).toEqual(["a", "c"]);
    const starts = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExclusiveStartKey);
    expect(starts).toEqual([undefined, at("a"), at("b")]);
  });
});

describe("costOf", () => {
  it("returns the number of requests and the sum of consumed units, batches included", async () => {
    dynamo.on(GetCommand).resolves({ ConsumedCapacity: { CapacityUnits: 1 } });
    dynamo.on(BatchGetCommand).resolves({ ConsumedCapacity: [{ CapacityUnits: 2 }, { CapacityUnits: 0.5 }] });
    dynamo.on(BatchWriteCommand).resolves({ ConsumedCapacity: [{ CapacityUnits: 4 }] });
    const record = newCall("r");
    await inCall(record, async () => {
      await Table.get({ pk: "p", sk: "s" });
      await Table.getMany(keysOf(2));
      await deleteAll(keysOf(2));
    });
    expect(costOf(record)).toEqual({ roundTrips: 3, readUnits: 3.5, writeUnits: 4, kmsCalls: 0 });
  });
});

it("first reads on when DynamoDB ends a page early, and no further than needed", async () => {
  const keys = shortPages(dynamo, 5);
  expect(await Table.first({ pk: "p" }, 9)).toEqual(keys);
  expect(dynamo.commandCalls(QueryCommand)).toHaveLength(4);
  dynamo.resetHistory();
  expect(await Table.first({ pk: "p" }, 3)).toEqual(keys.slice(0, 3));
  expect(dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.Limit)).toEqual([3, 1]);
});

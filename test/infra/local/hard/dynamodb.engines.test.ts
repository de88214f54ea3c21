import {
  BatchGetCommand,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { hardEngine } from "../../../support/engine/hard-engine.ts";

const TableName = () => process.env.TABLE_NAME as string;
const item = (sk: string) => ({ pk: "p", sk });
const sks = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(3, "0"));
const skOf = ({ sk }: Record<string, unknown>) => sk;
const put = (sk: string) => new PutCommand({ TableName: TableName(), Item: item(sk) });
const isStored = async (client: DynamoDBDocumentClient, sk: string) =>
  (await client.send(new GetCommand({ TableName: TableName(), Key: item(sk), ConsistentRead: true }))).Item !==
  undefined;

describe("a request on one item", () => {
  test("is throttled by either name, and changes nothing", async () => {
    const hard = await hardEngine({ throttled: 1 });
    const plain = await hardEngine({});
    const names = new Set<string>();
    for (const sk of sks(20)) {
      await hard.send(put(`throttled ${sk}`)).catch(({ name }) => names.add(name));
      expect(await isStored(plain, `throttled ${sk}`)).toBe(false);
    }
    expect([...names].sort()).toEqual(["ProvisionedThroughputExceededException", "ThrottlingException"]);
  });

  test("fails with status 500 before or after it is carried out", async () => {
    const hard = await hardEngine({ failed: 1 });
    const plain = await hardEngine({});
    const stored = new Set<boolean>();
    for (const sk of sks(20)) {
      const failure = { name: "InternalServerError", $metadata: { httpStatusCode: 500 } };
      await expect(hard.send(put(`failed ${sk}`))).rejects.toMatchObject(failure);
      stored.add(await isStored(plain, `failed ${sk}`));
    }
    expect(stored.size).toBe(2);
  });

  test("is carried out when its reply is lost", async () => {
    const hard = await hardEngine({ lost: 1 });
    await expect(hard.send(put("lost"))).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await isStored(await hardEngine({}), "lost")).toBe(true);
  });
});

describe("a transaction", () => {
  const transaction = (names: string[], ClientRequestToken?: string) =>
    new TransactWriteCommand({
      TransactItems: names.map((sk) => ({
        Put: { TableName: TableName(), Item: item(sk), ConditionExpression: "attribute_not_exists(pk)" },
      })),
      ClientRequestToken,
    });

  test("is cancelled when one of its items is throttled, and changes nothing", async () => {
    const hard = await hardEngine({ cancelled: 1 });
    const thrown = await hard.send(transaction(["t1", "t2", "t3"])).catch((each) => each);
    const codes = thrown.CancellationReasons.map(({ Code }: { Code: string }) => Code);
    expect([thrown.name, codes.sort()]).toEqual(["TransactionCanceledException", ["None", "None", "ThrottlingError"]]);
    expect(await isStored(await hardEngine({}), "t1")).toBe(false);
  });

  test("succeeds when it is repeated with its token after a lost reply", async () => {
    const hard = await hardEngine({ lost: 1 });
    await expect(hard.send(transaction(["u1", "u2"], "token"))).rejects.toMatchObject({ code: "ECONNRESET" });
    const plain = await hardEngine({});
    await plain.send(transaction(["u1", "u2"], "token"));
    await expect(plain.send(transaction(["u1", "u2"], "other"))).rejects.toThrow("ConditionalCheckFailed");
  });

  test("that is held meets others at work on its items", async () => {
    const hard = await hardEngine({ held: 1, heldMsMax: 20 });
    const attempts = sks(20).map((sk) => hard.send(transaction(["hot", `v${sk}`])).catch((thrown) => thrown));
    const reasons = (await Promise.all(attempts)).flatMap(({ CancellationReasons = [] }) =>
      CancellationReasons.map(({ Code }: { Code: string }) => Code),
    );
    expect(reasons).toContain("TransactionConflict");
  });
});

describe("a batch", () => {
  const writes = (names: string[]) => names.map((sk) => ({ PutRequest: { Item: { ...item(sk), text: "x" } } }));

  test("of writes is done in part: what is left unprocessed was not written, all else was", async () => {
    const hard = await hardEngine({ partial: 1 });
    const plain = await hardEngine({});
    let rest = writes(sks(25).map((sk) => `b${sk}`));
    for (let size = rest.length; size > 1; size = rest.length) {
      const names = rest.map(({ PutRequest }) => PutRequest.Item.sk);
      const command = new BatchWriteCommand({ RequestItems: { [TableName()]: rest } });
      rest = ((await hard.send(command)).UnprocessedItems?.[TableName()] ?? []) as typeof rest;
      const left = rest.map(({ PutRequest }) => PutRequest.Item.sk);
      expect(left.length).toBeLessThan(size);
      for (const sk of names) expect(await isStored(plain, sk)).toBe(!left.includes(sk));
    }
  });

  test("of reads is done in part, and the rest is requested with the same options", async () => {
    const hard = await hardEngine({ partial: 1 });
    const plain = await hardEngine({});
    const names = sks(20).map((sk) => `g${sk}`);
    await plain.send(new BatchWriteCommand({ RequestItems: { [TableName()]: writes(names) } }));
    const found: unknown[] = [];
    const Keys = names.map(item);
    let RequestItems: Record<string, object> = {
      [TableName()]: { Keys, ConsistentRead: true, ProjectionExpression: "sk" },
    };
    for (let rounds = 0; Object.keys(RequestItems).length > 0; rounds++) {
      expect(rounds).toBeLessThan(names.length);
      const reply = await hard.send(new BatchGetCommand({ RequestItems: RequestItems as never }));
      found.push(...(reply.Responses?.[TableName()] ?? []));
      RequestItems = reply.UnprocessedKeys ?? {};
      for (const rest of Object.values(RequestItems)) {
        expect(rest).toMatchObject({ ConsistentRead: true, ProjectionExpression: "sk" });
      }
    }
    expect(found.map((each) => skOf(each as never)).sort()).toEqual(names);
  });
});

test("a query is cut short, and its pages together have every item once and in order", async () => {
  const hard = await hardEngine({ cut: 1 });
  const plain = await hardEngine({});
  for (const sk of sks(50)) await plain.send(new PutCommand({ TableName: TableName(), Item: { pk: "q", sk } }));
  const seen: unknown[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await hard.send(
      new QueryCommand({
        TableName: TableName(),
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": "q" },
        ExclusiveStartKey,
      }),
    );
    expect(page.Count).toBeLessThanOrEqual(10);
    seen.push(...(page.Items ?? []).map(skOf));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  expect(seen).toEqual(sks(50));
});

test("the same seed disturbs the same requests, and another seed others", async () => {
  const outcomes = async (seed: number) => {
    const hard = await hardEngine({ throttled: 0.5 }, { seed });
    const results: string[] = [];
    for (const sk of sks(20))
      results.push(
        await hard.send(put(`s${sk}`)).then(
          () => "done",
          ({ name }) => name,
        ),
      );
    return results;
  };
  expect(await outcomes(1)).toEqual(await outcomes(1));
  expect(await outcomes(1)).not.toEqual(await outcomes(2));
});

test("an engine that cannot be reached is a connection that ends", async () => {
  const hard = await hardEngine({}, { engine: "http://127.0.0.1:1" });
  await expect(hard.send(put("x"))).rejects.toMatchObject({ code: "ECONNRESET" });
});

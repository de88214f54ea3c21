// Which requests meet a transaction that has not ended. The engine behind is a server that replies when the test says so.
import { createServer } from "node:http";
import {
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../../infra/local/listen.ts";
import { hardEngine } from "../../../support/engine/hard-engine.ts";

const TableName = "table";
const key = (sk: string) => ({ pk: "p", sk });
const transaction = (sks: string[], ClientRequestToken = sks.join()) =>
  new TransactWriteCommand({
    TransactItems: sks.map((sk) => ({ Put: { TableName, Item: key(sk) } })),
    ClientRequestToken,
  });
const settled = (work: Promise<unknown>) =>
  work.then(
    () => "done" as const,
    (thrown: unknown) => thrown,
  );

/** An engine that holds each request until `release` is called, and the hard engine in front of it. */
async function heldEngine() {
  const waiting: (() => void)[] = [];
  const arrivals: (() => void)[] = [];
  const server = createServer((_, response) => {
    waiting.push(() => void response.end("{}"));
    arrivals.shift()?.();
  });
  const { url, close } = await listen(server, 0);
  onTestFinished(close);
  const client = await hardEngine({}, { engine: url });
  return {
    client,
    /** Resolves when the next request reaches the engine. */
    reached: () => new Promise<void>((resolve) => arrivals.push(resolve)),
    release() {
      for (const reply of waiting.splice(0)) reply();
    },
  };
}

async function whileOpen(sks: string[]) {
  const { client, release, reached } = await heldEngine();
  const arrived = reached();
  const ended = settled(client.send(transaction(sks)));
  await arrived;
  const end = async () => {
    release();
    expect(await ended).toBe("done");
  };
  return { client, end, release, reached };
}

test("a transaction is cancelled for each item that an open transaction writes", async () => {
  const { client, end } = await whileOpen(["a", "b"]);
  await expect(client.send(transaction(["c", "b", "d"]))).rejects.toMatchObject({
    name: "TransactionCanceledException",
    message: expect.stringContaining("[None, TransactionConflict, None]"),
    CancellationReasons: [{ Code: "None" }, { Code: "TransactionConflict" }, { Code: "None" }],
  });
  await end();
});

test("a cancelled transaction holds no item, and an ended one none any more", async () => {
  const { client, end, release, reached } = await whileOpen(["a"]);
  await expect(client.send(transaction(["a", "b"]))).rejects.toThrow("TransactionConflict");
  const arrived = reached();
  const free = client.send(new PutCommand({ TableName, Item: key("b") }));
  await arrived;
  await end();
  await free;
  const again = reached();
  const next = client.send(transaction(["a"], "next"));
  await again;
  release();
  await next;
});

test.each([
  ["PutItem", new PutCommand({ TableName, Item: key("a") })],
  ["UpdateItem", new UpdateCommand({ TableName, Key: key("a") })],
  ["DeleteItem", new DeleteCommand({ TableName, Key: key("a") })],
])("%s alone meets an open transaction on its item", async (_, command) => {
  const { client, end } = await whileOpen(["a"]);
  await expect(client.send(command as PutCommand)).rejects.toMatchObject({ name: "TransactionConflictException" });
  await end();
});

test("two writes outside transactions never meet a conflict, nor does a read", async () => {
  const { client, release, reached } = await whileOpen(["b"]);
  const writes = [1, 2].map(() => {
    const arrived = reached();
    return { arrived, ended: client.send(new PutCommand({ TableName, Item: key("a") })) };
  });
  const arrived = reached();
  const read = client.send(new GetCommand({ TableName, Key: key("b") }));
  await Promise.all([arrived, ...writes.map((each) => each.arrived)]);
  release();
  await Promise.all([read, ...writes.map(({ ended }) => ended)]);
});

test("BatchWriteItem leaves the items of an open transaction unprocessed", async () => {
  const { client, end, release, reached } = await whileOpen(["a"]);
  const requests = (...sks: string[]) => sks.map((sk) => ({ DeleteRequest: { Key: key(sk) } }));
  const send = (...sks: string[]) => client.send(new BatchWriteCommand({ RequestItems: { table: requests(...sks) } }));
  expect((await send("a")).UnprocessedItems).toEqual({ table: requests("a") });
  const arrived = reached();
  const mixed = send("b", "a", "c");
  await arrived;
  await end();
  release();
  expect((await mixed).UnprocessedItems).toEqual({ table: requests("a") });
});

test("TransactGetItems is cancelled by any write of its items", async () => {
  const { client, end, reached } = await whileOpen(["a"]);
  const arrived = reached();
  const put = client.send(new PutCommand({ TableName, Item: key("b") }));
  await arrived;
  const TransactItems = ["a", "b", "c"].map((sk) => ({ Get: { TableName, Key: key(sk) } }));
  await expect(client.send(new TransactGetCommand({ TransactItems }))).rejects.toMatchObject({
    CancellationReasons: [{ Code: "TransactionConflict" }, { Code: "TransactionConflict" }, { Code: "None" }],
  });
  await end();
  await put;
});

test("a repeated transaction meets itself while it is open", async () => {
  const { client, end } = await whileOpen(["a"]);
  await expect(client.send(transaction(["a"]))).rejects.toMatchObject({ name: "TransactionInProgressException" });
  await end();
});

test("the same key in another table is another item", async () => {
  const { client, end, release, reached } = await whileOpen(["a"]);
  const arrived = reached();
  const other = client.send(new PutCommand({ TableName: "other", Item: key("a") }));
  await arrived;
  await end();
  release();
  await other;
});

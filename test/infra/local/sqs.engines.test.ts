import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, onTestFinished, test } from "vitest";
import { placeholderAccess } from "../../../infra/local/environment.ts";
import { systemAttributes } from "../../../infra/local/queue.ts";
import { startSqs } from "../../../infra/local/sqs.ts";

async function started() {
  const sqs = await startSqs(["purge"]);
  const client = new SQSClient({ endpoint: sqs.endpoint, ...placeholderAccess });
  onTestFinished(async () => {
    client.destroy();
    await sqs.close();
  });
  return { client, QueueUrl: sqs.urlOf("purge"), queue: sqs.queue("purge") };
}

test("a message is not received while it is hidden, or after its deletion", async () => {
  const { client, QueueUrl, queue } = await started();
  const { MessageId: id } = await client.send(
    new SendMessageCommand({ QueueUrl, MessageBody: "é 1", MessageGroupId: "w" }),
  );
  const [first] = queue.receive(10, 0).map(({ receipt }) => receipt);
  const [message] = queue.receive(1, 60_000);
  expect(message).toMatchObject({ id, body: "é 1", group: "w" });
  expect(queue.receive(10, 0)).toEqual([]);
  expect(queue.nextVisibleAt()).toBeGreaterThan(Date.now() + 50_000);
  queue.remove(first ?? "");
  expect(queue.nextVisibleAt()).toBeDefined();
  queue.remove(message?.receipt ?? "");
  expect(queue.nextVisibleAt()).toBeUndefined();
});

test("a batch has a result for each entry, and a delay above 900 s fails only its own entry", async () => {
  const { client, QueueUrl, queue } = await started();
  const Entries = [0, 901, 900].map((DelaySeconds, index) => ({
    Id: String(index),
    MessageBody: `${index}`,
    DelaySeconds,
  }));
  const { Successful, Failed } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  expect(Successful?.map(({ Id }) => Id)).toEqual(["0", "2"]);
  expect(Failed).toMatchObject([{ Id: "1", Code: "InvalidParameterValue", SenderFault: true }]);
  expect(queue.receive(10, 30_000).map(({ body }) => body)).toEqual(["0"]);
});

const mib = 1_048_576;
const entries = (...ids: string[]) => ids.map((Id) => ({ Id, MessageBody: "x" }));
const halves = (bytes: number) =>
  [bytes - mib / 2, mib / 2].map((length, index) => ({ Id: String(index), MessageBody: "x".repeat(length) }));

test.each([
  ["no entries", [], "EmptyBatchRequest"],
  ["eleven entries", entries(..."abcdefghijk"), "TooManyEntriesInBatchRequest"],
  ["two entries of one id", entries("a", "b", "a"), "BatchEntryIdsNotDistinct"],
  ["an empty id", entries("a", ""), "InvalidBatchEntryId"],
  ["a dot in an id", entries("a", "b.c"), "InvalidBatchEntryId"],
  ["an id of 81 characters", entries("a", "b".repeat(81)), "InvalidBatchEntryId"],
  ["more than 1 MiB together", halves(mib + 1), "BatchRequestTooLong"],
])("a batch with %s sends none of its messages", async (_, Entries, name) => {
  const { client, QueueUrl, queue } = await started();
  await expect(client.send(new SendMessageBatchCommand({ QueueUrl, Entries }))).rejects.toMatchObject({ name });
  expect(queue.nextVisibleAt()).toBeUndefined();
});

test("a batch of 1 MiB, and ids of 80 letters, digits, - and _, are sent", async () => {
  const { client, QueueUrl } = await started();
  for (const Entries of [halves(mib), entries(`aZ9-_${"x".repeat(75)}`)]) {
    const { Successful } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(Successful).toHaveLength(Entries.length);
  }
});

test.each([
  [
    "an unknown queue",
    "QueueDoesNotExist",
    (QueueUrl) => new SendMessageCommand({ QueueUrl: `${QueueUrl}-other`, MessageBody: "x" }),
  ],
  ["no body", "MissingParameter", (QueueUrl) => new SendMessageCommand({ QueueUrl, MessageBody: "" })],
  [
    "a body above 1 MiB",
    "InvalidParameterValue",
    (QueueUrl) => new SendMessageCommand({ QueueUrl, MessageBody: "x".repeat(mib + 1) }),
  ],
  [
    "a delay above 900 s",
    "InvalidParameterValue",
    (QueueUrl) => new SendMessageCommand({ QueueUrl, MessageBody: "x", DelaySeconds: 901 }),
  ],
] satisfies [string, string, (QueueUrl: string) => object][])(
  "a request for %s is refused: %s",
  async (_, name, commandOf) => {
    const { client, QueueUrl } = await started();
    await expect(client.send(commandOf(QueueUrl) as SendMessageCommand)).rejects.toMatchObject({ name });
  },
);

test("a message has the system attributes of SQS", async () => {
  const { client, QueueUrl, queue } = await started();
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "x", MessageGroupId: "w" }));
  queue.receive(1, 0);
  const time = expect.stringMatching(/^\d{13}$/);
  expect(queue.receive(1, 0).map(systemAttributes)).toEqual([
    {
      ...{ MessageGroupId: "w", ApproximateReceiveCount: "2", SenderId: "local" },
      ...{ SentTimestamp: time, ApproximateFirstReceiveTimestamp: time },
    },
  ]);
});

test("a message that was received ten times becomes a dead letter", async () => {
  const { client, QueueUrl, queue } = await started();
  const { MessageId: id } = await client.send(
    new SendMessageCommand({ QueueUrl, MessageBody: "x", MessageGroupId: "w" }),
  );
  for (let time = 1; time <= 10; time++) expect(queue.receive(1, 0)).toMatchObject([{ id }]);
  expect(queue.deadLetters?.receive(1, 0)).toEqual([]);
  expect(queue.receive(1, 0)).toEqual([]);
  for (let time = 1; time <= 11; time++) expect(queue.deadLetters?.receive(1, 0)).toMatchObject([{ id, body: "x" }]);
});

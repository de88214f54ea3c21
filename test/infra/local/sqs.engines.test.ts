import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { expect, onTestFinished, test } from "vitest";
import { placeholderAccess } from "../../../infra/local/environment.ts";
import { startSqs } from "../../../infra/local/sqs.ts";

async function started() {
  const sqs = await startSqs(["purge"]);
  const client = new SQSClient({ endpoint: sqs.endpoint, ...placeholderAccess });
  onTestFinished(async () => {
    client.destroy();
    await sqs.close();
  });
  return { client, QueueUrl: sqs.urlOf("purge"), deadLettersUrl: sqs.urlOf("purge-dead-letters") };
}

test("a message is not received while it is hidden, or after its deletion", async () => {
  const { client, QueueUrl } = await started();
  const { MessageId } = await client.send(
    new SendMessageCommand({ QueueUrl, MessageBody: "é 1", MessageGroupId: "w" }),
  );
  const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 });
  const [message] = (await client.send(receive)).Messages ?? [];
  expect(message).toMatchObject({ MessageId, Body: "é 1" });
  const hide = new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 60 });
  const [again] = (await client.send(hide)).Messages ?? [];
  expect(again).toMatchObject({ MessageId });
  expect((await client.send(receive)).Messages ?? []).toEqual([]);
  await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: again?.ReceiptHandle ?? "" }));
  expect((await client.send(receive)).Messages ?? []).toEqual([]);
});

test("a batch has a result for each entry, and a delay above 900 s fails only its own entry", async () => {
  const { client, QueueUrl } = await started();
  const Entries = [0, 901, 900].map((DelaySeconds, index) => ({
    Id: String(index),
    MessageBody: `${index}`,
    DelaySeconds,
  }));
  const { Successful, Failed } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  expect(Successful?.map(({ Id }) => Id)).toEqual(["0", "2"]);
  expect(Failed).toMatchObject([{ Id: "1", Code: "InvalidParameterValue", SenderFault: true }]);
  const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
  expect(Messages?.map(({ Body }) => Body)).toEqual(["0"]);
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
  const { client, QueueUrl } = await started();
  await expect(client.send(new SendMessageBatchCommand({ QueueUrl, Entries }))).rejects.toMatchObject({ name });
  const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
  expect(Messages).toEqual([]);
});

test("a batch of 1 MiB, and ids of 80 letters, digits, - and _, are sent", async () => {
  const { client, QueueUrl } = await started();
  for (const Entries of [halves(mib), entries(`aZ9-_${"x".repeat(75)}`)]) {
    const { Successful } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(Successful).toHaveLength(Entries.length);
  }
});

test.each([
  ["an unknown queue", "QueueDoesNotExist", (QueueUrl) => new ReceiveMessageCommand({ QueueUrl: `${QueueUrl}-other` })],
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
  [
    "eleven messages",
    "InvalidParameterValue",
    (QueueUrl) => new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 11 }),
  ],
  [
    "no messages",
    "InvalidParameterValue",
    (QueueUrl) => new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 0 }),
  ],
  [
    "a visibility timeout above 12 h",
    "InvalidParameterValue",
    (QueueUrl) => new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 43_201 }),
  ],
  [
    "the deletion by an unknown receipt",
    "ReceiptHandleIsInvalid",
    (QueueUrl) => new DeleteMessageCommand({ QueueUrl, ReceiptHandle: "x" }),
  ],
  [
    "the visibility of an unknown receipt",
    "ReceiptHandleIsInvalid",
    (QueueUrl) => new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: "x", VisibilityTimeout: 1 }),
  ],
] satisfies [string, string, (QueueUrl: string) => object][])(
  "a request for %s is refused: %s",
  async (_, name, commandOf) => {
    const { client, QueueUrl } = await started();
    await expect(client.send(commandOf(QueueUrl) as ReceiveMessageCommand)).rejects.toMatchObject({ name });
  },
);

test("the receipt of a message that has left the queue can delete it again, but not change its visibility", async () => {
  const { client, QueueUrl } = await started();
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "x" }));
  const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
  const of = { QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle ?? "" };
  const change = (VisibilityTimeout: number) =>
    client.send(new ChangeMessageVisibilityCommand({ ...of, VisibilityTimeout }));
  await change(43_200);
  await expect(change(43_201)).rejects.toMatchObject({ name: "InvalidParameterValue" });
  for (let time = 0; time < 2; time++) await client.send(new DeleteMessageCommand(of));
  await expect(change(0)).rejects.toMatchObject({ name: "InvalidParameterValue" });
});

test("a message has the system attributes that the request names", async () => {
  const { client, QueueUrl } = await started();
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "x", MessageGroupId: "w" }));
  const attributesOf = async (more: object) => {
    const command = new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0, ...more });
    return (await client.send(command)).Messages?.[0]?.Attributes;
  };
  expect(await attributesOf({})).toBeUndefined();
  expect(await attributesOf({ MessageSystemAttributeNames: ["MessageGroupId", "ApproximateReceiveCount"] })).toEqual({
    MessageGroupId: "w",
    ApproximateReceiveCount: "2",
  });
  const time = expect.stringMatching(/^\d{13}$/);
  expect(await attributesOf({ AttributeNames: ["All"] })).toEqual({
    ...{ MessageGroupId: "w", ApproximateReceiveCount: "3", SenderId: "local" },
    ...{ SentTimestamp: time, ApproximateFirstReceiveTimestamp: time },
  });
});

test("a message that was received ten times becomes a dead letter", async () => {
  const { client, QueueUrl, deadLettersUrl } = await started();
  const { MessageId } = await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "x", MessageGroupId: "w" }));
  const receive = async (url: string) =>
    (await client.send(new ReceiveMessageCommand({ QueueUrl: url, VisibilityTimeout: 0 }))).Messages ?? [];
  for (let time = 1; time <= 10; time++) expect(await receive(QueueUrl)).toMatchObject([{ MessageId }]);
  expect(await receive(deadLettersUrl)).toEqual([]);
  expect(await receive(QueueUrl)).toEqual([]);
  for (let time = 1; time <= 11; time++)
    expect(await receive(deadLettersUrl)).toMatchObject([{ MessageId, Body: "x" }]);
});

import {
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
  return { client, QueueUrl: sqs.urlOf("purge") };
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

test("an invalid batch sends none of its messages", async () => {
  const { client, QueueUrl } = await started();
  const entries = (ids: number[]) => ids.map((id) => ({ Id: String(id), MessageBody: "x" }));
  const send = (Entries: { Id: string; MessageBody: string }[], url = QueueUrl) =>
    client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
  await expect(send(entries([...Array(11).keys()]))).rejects.toMatchObject({ name: "TooManyEntriesInBatchRequest" });
  await expect(send(entries([1, 1]))).rejects.toMatchObject({ name: "BatchEntryIdsNotDistinct" });
  await expect(send([])).rejects.toMatchObject({ name: "EmptyBatchRequest" });
  await expect(send(entries([1]), `${QueueUrl}-other`)).rejects.toMatchObject({ name: "QueueDoesNotExist" });
});

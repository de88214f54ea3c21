// A fake SQS client that accepts every message and records it.
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";

export function mockQueue() {
  const sqs = mockClient(SQSClient);
  const reset = () => {
    sqs.reset();
    sqs.on(SendMessageBatchCommand).resolves({});
  };
  reset();
  /** The messages since the last reset, by job. */
  const sent = () =>
    sqs
      .commandCalls(SendMessageBatchCommand)
      .flatMap(({ args }) => args[0].input.Entries ?? [])
      .map(({ MessageBody, DelaySeconds }) => ({ id: MessageBody, delaySeconds: DelaySeconds }));
  return { reset, sent, restore: () => sqs.restore() };
}

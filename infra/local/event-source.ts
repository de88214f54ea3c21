// What AWS's event source mapping does: takes messages from a queue and gives them to a function, a batch an invocation.
import type { Invoke } from "./invoke.ts";
import { type Message, md5, type Queue } from "./queue.ts";

export interface EventSource {
  queue: Queue;
  invoke: Invoke;
  timeoutSeconds: number;
  /** Messages of one invocation at most. */
  batchSize?: number;
  /** Batches at once. */
  concurrencyMax?: number;
  /** Told what the function threw; the messages come again. */
  onError(thrown: unknown): void;
}

/** As in the deployment; the sweeper finds the job again. */
const receiveCountMax = 10;
const retryMs = 1_000;

/** Delivers until stopped. */
export function deliver({ queue, invoke, timeoutSeconds, batchSize = 10, concurrencyMax = 4, onError }: EventSource): {
  stop(): void;
} {
  const hiddenMs = timeoutSeconds * 6_000;
  let inFlight = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  function pump(): void {
    clearTimeout(timer);
    while (!isStopped && inFlight < concurrencyMax) {
      const batch = queue.receive(batchSize, hiddenMs);
      if (batch.length === 0) break;
      inFlight += 1;
      void run(batch).finally(() => {
        inFlight -= 1;
        pump();
      });
    }
    const next = queue.nextVisibleAt();
    if (!isStopped && inFlight < concurrencyMax && next !== undefined)
      timer = setTimeout(pump, Math.max(1, next - Date.now()));
  }

  async function run(batch: Message[]): Promise<void> {
    const receipts = batch.map(({ receipt }) => receipt);
    const failed = await failuresOf(batch);
    batch.forEach((message, index) => {
      const receipt = receipts[index] ?? "";
      if (!failed.has(message.id) || message.receiveCount >= receiveCountMax) queue.remove(receipt);
      else queue.postpone(receipt, Math.min(hiddenMs, retryMs * 2 ** (message.receiveCount - 1)));
    });
  }

  async function failuresOf(batch: Message[]): Promise<Set<string>> {
    try {
      const answer = (await invoke({ Records: batch.map((message) => recordOf(message, queue.name)) })) as Answer;
      return new Set(answer?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
    } catch (thrown) {
      onError(thrown);
      return new Set(batch.map(({ id }) => id));
    }
  }

  const unsubscribe = queue.onChange(pump);
  pump();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}

type Answer = { batchItemFailures?: { itemIdentifier: string }[] } | undefined;

function recordOf(message: Message, queueName: string) {
  return {
    messageId: message.id,
    receiptHandle: message.receipt,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAt),
      SenderId: "local",
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
      ...(message.group !== undefined && { MessageGroupId: message.group }),
    },
    messageAttributes: {},
    md5OfBody: md5(message.body),
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queueName}`,
    awsRegion: "us-east-1",
  };
}

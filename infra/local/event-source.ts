// Replaces AWS's event source mapping: receives messages from a queue and invokes a function with each batch.
import { timeoutsHidden } from "../stack/queue-rules.ts";
import type { Invoke } from "./invoke.ts";
import { type Message, md5, type Queue, systemAttributes } from "./queue.ts";

export interface EventSource {
  queue: Queue;
  invoke: Invoke;
  timeoutSeconds: number;
  /** The maximum number of messages in one invocation. */
  batchSize?: number;
  /** The maximum number of concurrent invocations. */
  concurrencyMax?: number;
  /** Receives the error that the function threw. The queue delivers the messages again after the visibility timeout. */
  onError(thrown: unknown): void;
}

/** Invokes the function with messages until `stop` is called. */
export function deliver({ queue, invoke, timeoutSeconds, batchSize = 10, concurrencyMax = 4, onError }: EventSource): {
  stop(): void;
} {
  const visibilityTimeoutMs = timeoutSeconds * timeoutsHidden * 1_000;
  let inFlight = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  function poll(): void {
    clearTimeout(timer);
    while (!isStopped && inFlight < concurrencyMax) {
      const batch = queue.receive(batchSize, visibilityTimeoutMs);
      if (batch.length === 0) break;
      inFlight += 1;
      void run(batch).finally(() => {
        inFlight -= 1;
        poll();
      });
    }
    const next = queue.nextVisibleAt();
    if (!isStopped && inFlight < concurrencyMax && next !== undefined)
      timer = setTimeout(poll, Math.max(1, next - Date.now()));
  }

  async function run(batch: Message[]): Promise<void> {
    const receipts = batch.map(({ receipt }) => receipt);
    const failed = await failuresOf(batch);
    batch.forEach((message, index) => {
      const receipt = receipts[index] ?? "";
      // A failed message stays hidden until its visibility timeout ends.
      if (!failed.has(message.id)) queue.remove(receipt);
    });
  }

  async function failuresOf(batch: Message[]): Promise<Set<string>> {
    try {
      const records = batch.map((message) => recordOf(message, queue.name));
      const response = (await invoke({ Records: records })) as BatchResponse;
      return new Set(response?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
    } catch (thrown) {
      onError(thrown);
      return new Set(batch.map(({ id }) => id));
    }
  }

  const unsubscribe = queue.onChange(poll);
  poll();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}

type BatchResponse = { batchItemFailures?: { itemIdentifier: string }[] } | undefined;

function recordOf(message: Message, queueName: string) {
  return {
    messageId: message.id,
    receiptHandle: message.receipt,
    body: message.body,
    attributes: systemAttributes(message),
    messageAttributes: {},
    md5OfBody: md5(message.body),
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queueName}`,
    awsRegion: "us-east-1",
  };
}

// Queues with the semantics of SQS and of Lambda that the stack relies on: delays, visibility timeouts, redrive to dead
// letters, and the end of a chain in which a function invokes itself.
import { randomUUID } from "node:crypto";
import { AwsError } from "../../../infra/local/aws-json.ts";
import { md5 } from "../../../infra/local/queue.ts";
import {
  type BatchEntry,
  checkBatch,
  checkMessage,
  type SendEntry,
  sqsError,
} from "../../../infra/local/sqs-checks.ts";
import type { DeployedQueue } from "./template.ts";

export interface Message {
  id: string;
  kind: string;
  body: string;
  /** MessageGroupId: the workspace. */
  group: string | undefined;
  /** The trace header of the request that sent it. */
  trace: string;
  sentAt: number;
  visibleAt: number;
  receives: number;
}

// biome-ignore lint/suspicious/noExplicitAny: the input of any operation
type Input = any;

export class Queues {
  readonly deadLetters: Message[] = [];
  readonly #rules: Map<string, DeployedQueue>;
  readonly #now: () => number;
  #messages: Message[] = [];

  constructor(rules: readonly DeployedQueue[], now: () => number) {
    this.#rules = new Map(rules.map((each) => [each.kind, each]));
    this.#now = now;
  }

  /** Serves the operations that send. */
  respond(operation: string, input: Input, trace: string): object {
    const kind = String(input.QueueUrl).split("/").at(-1) ?? "";
    if (!this.#rules.has(kind)) throw sqsError("QueueDoesNotExist", "The specified queue does not exist.");
    if (operation === "SendMessage") return this.#send(kind, input, trace);
    if (operation !== "SendMessageBatch") throw new AwsError("UnknownOperationException", operation);
    const { Entries = [] }: { Entries?: BatchEntry[] } = input;
    checkBatch(Entries);
    return { Successful: Entries.map((each) => ({ Id: each.Id, ...this.#send(kind, each, trace) })), Failed: [] };
  }

  #send(kind: string, entry: SendEntry, trace: string): object {
    checkMessage(entry);
    const { MessageBody: body, DelaySeconds = 0, MessageGroupId: group } = entry;
    const now = this.#now();
    const id = randomUUID();
    this.#messages.push({
      ...{ id, kind, body, group, trace, receives: 0 },
      ...{ sentAt: now, visibleAt: now + DelaySeconds * 1_000 },
    });
    return { MessageId: id, MD5OfMessageBody: md5(body) };
  }

  /** The next message of a group, and when it is visible. */
  next(group: string): Message | undefined {
    const own = this.#messages.filter((each) => each.group === group);
    return own.toSorted((one, other) => one.visibleAt - other.visibleAt)[0];
  }

  /**
   * Receives visible messages of a queue and a group, at most `countMax`. They are hidden for the visibility timeout. A
   * message that was received as often as the redrive policy allows becomes a dead letter.
   */
  receive(kind: string, group: string, countMax: number): Message[] {
    const rules = this.#rules.get(kind) as DeployedQueue;
    const isReady = (each: Message) => each.kind === kind && each.group === group && each.visibleAt <= this.#now();
    for (const each of this.#messages.filter(isReady)) {
      if (each.receives >= rules.receivesMax) this.bury(each);
    }
    const received = this.#messages.filter(isReady).slice(0, countMax);
    for (const each of received) {
      each.receives += 1;
      each.visibleAt = this.#now() + rules.visibilitySeconds * 1_000;
    }
    return received;
  }

  remove({ id }: Message): void {
    this.#messages = this.#messages.filter((each) => each.id !== id);
  }

  bury(message: Message): void {
    this.remove(message);
    this.deadLetters.push(message);
  }
}

/** The record of a message in the event of a queue worker. `arn`: of the queue. */
export function recordOf({ id, body, group, receives, sentAt, trace }: Message, arn: string): object {
  return {
    messageId: id,
    receiptHandle: `${id}-${receives}`,
    body,
    attributes: {
      ApproximateReceiveCount: String(receives),
      SentTimestamp: String(sentAt),
      SenderId: "rehearsal",
      ApproximateFirstReceiveTimestamp: String(sentAt),
      ...(group !== undefined && { MessageGroupId: group }),
      ...(trace && { AWSTraceHeader: trace }),
    },
    messageAttributes: {},
    md5OfBody: md5(body),
    eventSource: "aws:sqs",
    eventSourceARN: arn,
    awsRegion: "us-east-1",
  };
}

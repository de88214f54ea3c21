// The operations of SQS that the service uses, with queues in memory. With a seed, they are as hard as those of AWS.
import { AwsError, type LocalService, type Operations, ServerFault, serveAwsJson } from "./aws-json.ts";
import { type HardQueues, hardQueues } from "./hard/sqs.ts";
import { type Message, md5, Queue } from "./queue.ts";

interface SendInput {
  QueueUrl: string;
  MessageBody: string;
  DelaySeconds?: number;
  MessageGroupId?: string;
}

interface BatchInput {
  QueueUrl: string;
  Entries?: (Omit<SendInput, "QueueUrl"> & { Id: string })[];
}

interface ReceiveInput {
  QueueUrl: string;
  MaxNumberOfMessages?: number;
  VisibilityTimeout?: number;
}

interface ReceiptInput {
  QueueUrl: string;
  ReceiptHandle: string;
  VisibilityTimeout: number;
}

export interface LocalSqs extends LocalService {
  queue(name: string): Queue;
  urlOf(name: string): string;
}

const bodyBytesMax = 1_048_576;
const delaySecondsMax = 900;
const entriesMax = 10;

export interface SqsOptions {
  /** The seed of queues that are as hard as those of AWS. Without it, they disturb nothing. */
  hardSeed?: number | undefined;
  hard?: HardQueues | undefined;
}

export async function startSqs(
  names: readonly string[],
  { hardSeed, hard = hardSeed === undefined ? undefined : hardQueues(hardSeed) }: SqsOptions = {},
): Promise<LocalSqs> {
  const queues = new Map(names.map((name) => [name, hard ? hard.queue(name) : new Queue(name)]));
  const queue = (name: string): Queue => {
    const found = queues.get(name);
    if (!found) throw new AwsError("com.amazonaws.sqs#QueueDoesNotExist", "The specified queue does not exist.");
    return found;
  };
  const operations = sqsOperations((url) => queue(url.split("/").at(-1) ?? ""));
  const service = await serveAwsJson(hard ? hard.operations(operations) : operations, "application/x-amz-json-1.0");
  return { ...service, queue, urlOf: (name) => `${service.endpoint}/000000000000/${name}` };
}

/** `queueAt` returns the queue of a URL. */
export function sqsOperations(queueAt: (url: string) => Queue): Operations {
  return {
    SendMessage(input: SendInput) {
      return sendResult(send(queueAt(String(input.QueueUrl)), input));
    },
    SendMessageBatch({ QueueUrl, Entries = [] }: BatchInput) {
      const queue = queueAt(String(QueueUrl));
      checkBatch(Entries.map(({ Id }) => Id));
      const Successful: object[] = [];
      const Failed: object[] = [];
      for (const entry of Entries) {
        try {
          Successful.push({ Id: entry.Id, ...sendResult(send(queue, entry)) });
        } catch (thrown) {
          if (!(thrown instanceof AwsError)) throw thrown;
          const SenderFault = !(thrown instanceof ServerFault);
          Failed.push({ Id: entry.Id, SenderFault, Code: thrown.type, Message: thrown.message });
        }
      }
      return { Successful, Failed };
    },
    ReceiveMessage({ QueueUrl, MaxNumberOfMessages = 1, VisibilityTimeout = 30 }: ReceiveInput) {
      const received = queueAt(String(QueueUrl)).receive(MaxNumberOfMessages, VisibilityTimeout * 1_000);
      return {
        Messages: received.map(({ id, body, receipt }) => ({
          MessageId: id,
          Body: body,
          MD5OfBody: md5(body),
          ReceiptHandle: receipt,
        })),
      };
    },
    DeleteMessage({ QueueUrl, ReceiptHandle }: ReceiptInput) {
      queueAt(String(QueueUrl)).remove(ReceiptHandle);
      return {};
    },
    ChangeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout }: ReceiptInput) {
      queueAt(String(QueueUrl)).postpone(ReceiptHandle, VisibilityTimeout * 1_000);
      return {};
    },
  };
}

function send(queue: Queue, { MessageBody, DelaySeconds = 0, MessageGroupId }: Omit<SendInput, "QueueUrl">): Message {
  if (typeof MessageBody !== "string" || MessageBody === "")
    throw new AwsError("MissingParameter", "The body is missing.");
  if (Buffer.byteLength(MessageBody) > bodyBytesMax)
    throw new AwsError("InvalidParameterValue", "The body is too long.");
  if (!(DelaySeconds >= 0 && DelaySeconds <= delaySecondsMax)) {
    throw new AwsError("InvalidParameterValue", `DelaySeconds must be 0 to ${delaySecondsMax}.`);
  }
  return queue.send({ body: MessageBody, group: MessageGroupId, delayMs: DelaySeconds * 1_000 });
}

function sendResult({ id, body }: Message) {
  return { MessageId: id, MD5OfMessageBody: md5(body) };
}

function checkBatch(ids: string[]): void {
  const fail = (type: string, message: string) => new AwsError(`com.amazonaws.sqs#${type}`, message);
  if (ids.length === 0) throw fail("EmptyBatchRequest", "The batch has no entries.");
  if (ids.length > entriesMax) throw fail("TooManyEntriesInBatchRequest", `A batch has at most ${entriesMax} entries.`);
  if (new Set(ids).size < ids.length) throw fail("BatchEntryIdsNotDistinct", "Two entries have the same id.");
}

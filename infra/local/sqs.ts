// The operations of SQS that the service uses, with queues in memory. With a seed, they are as hard as those of AWS.
import { AwsError, type LocalService, type Operations, ServerFault, serveAwsJson } from "./aws-json.ts";
import { type HardQueues, hardQueues } from "./hard/sqs.ts";
import { type Message, md5, Queue, systemAttributes } from "./queue.ts";
import { type BatchEntry, checkBatch, checkMessage, checkNumber, type SendEntry, sqsError } from "./sqs-checks.ts";

interface OfQueue {
  QueueUrl: string;
}

interface ReceiveInput extends OfQueue {
  MaxNumberOfMessages?: number;
  VisibilityTimeout?: number;
  MessageSystemAttributeNames?: string[];
  /** The former name of the same field. */
  AttributeNames?: string[];
}

interface ReceiptInput extends OfQueue {
  ReceiptHandle: string;
}

export interface LocalSqs extends LocalService {
  queue(name: string): Queue;
  urlOf(name: string): string;
}

export interface SqsOptions {
  /** The seed of queues that are as hard as those of AWS. Without it, they disturb nothing. */
  hardSeed?: number | undefined;
  hard?: HardQueues | undefined;
}

export async function startSqs(
  names: readonly string[],
  { hardSeed, hard = hardSeed === undefined ? undefined : hardQueues(hardSeed) }: SqsOptions = {},
): Promise<LocalSqs> {
  const own = names.map((name) => (hard ? hard.queue(name) : new Queue(name)));
  const queues = new Map(own.flatMap((each) => [each, each.deadLetters as Queue]).map((each) => [each.name, each]));
  const queue = (name: string): Queue => {
    const found = queues.get(name);
    if (!found) throw sqsError("QueueDoesNotExist", "The specified queue does not exist.");
    return found;
  };
  const operations = sqsOperations((url) => queue(url.split("/").at(-1) ?? ""));
  const service = await serveAwsJson(hard ? hard.operations(operations) : operations, "application/x-amz-json-1.0");
  return { ...service, queue, urlOf: (name) => `${service.endpoint}/000000000000/${name}` };
}

/** `queueAt` returns the queue of a URL. */
export function sqsOperations(queueAt: (url: string) => Queue): Operations {
  /** The queue that has issued the receipt. */
  const issuerOf = ({ QueueUrl, ReceiptHandle }: ReceiptInput): Queue => {
    const queue = queueAt(String(QueueUrl));
    if (!queue.hasIssued(String(ReceiptHandle)))
      throw sqsError("ReceiptHandleIsInvalid", `The input receipt handle "${ReceiptHandle}" is not valid.`);
    return queue;
  };
  return {
    SendMessage(input: OfQueue & SendEntry) {
      return sendResult(send(queueAt(String(input.QueueUrl)), input));
    },
    SendMessageBatch({ QueueUrl, Entries = [] }: OfQueue & { Entries?: BatchEntry[] }) {
      const queue = queueAt(String(QueueUrl));
      checkBatch(Entries);
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
    ReceiveMessage(input: ReceiveInput) {
      const { MaxNumberOfMessages = 1, VisibilityTimeout = 30 } = input;
      checkNumber("MaxNumberOfMessages", MaxNumberOfMessages);
      checkNumber("VisibilityTimeout", VisibilityTimeout);
      const wanted = input.MessageSystemAttributeNames ?? input.AttributeNames ?? [];
      const isWanted = ([name]: [string, string]) => wanted.includes("All") || wanted.includes(name);
      const received = queueAt(String(input.QueueUrl)).receive(MaxNumberOfMessages, VisibilityTimeout * 1_000);
      return {
        Messages: received.map((message) => ({
          MessageId: message.id,
          Body: message.body,
          MD5OfBody: md5(message.body),
          ReceiptHandle: message.receipt,
          ...(wanted.length > 0 && {
            Attributes: Object.fromEntries(Object.entries(systemAttributes(message)).filter(isWanted)),
          }),
        })),
      };
    },
    DeleteMessage(input: ReceiptInput) {
      issuerOf(input).remove(input.ReceiptHandle);
      return {};
    },
    ChangeMessageVisibility({ VisibilityTimeout, ...input }: ReceiptInput & { VisibilityTimeout: number }) {
      checkNumber("VisibilityTimeout", VisibilityTimeout);
      if (!issuerOf(input).postpone(input.ReceiptHandle, VisibilityTimeout * 1_000)) {
        const reason = "Message does not exist or is not available for visibility timeout change.";
        const message = `Value ${input.ReceiptHandle} for parameter ReceiptHandle is invalid. Reason: ${reason}`;
        throw new AwsError("InvalidParameterValue", message);
      }
      return {};
    },
  };
}

function send(queue: Queue, entry: SendEntry): Message {
  checkMessage(entry);
  const { MessageBody: body, MessageGroupId: group, DelaySeconds = 0 } = entry;
  return queue.send({ body, group, delayMs: DelaySeconds * 1_000 });
}

function sendResult({ id, body }: Message) {
  return { MessageId: id, MD5OfMessageBody: md5(body) };
}

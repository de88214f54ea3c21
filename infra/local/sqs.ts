// The operations of SQS that the service uses, with queues in memory. With a seed, they are as hard as those of AWS.
import { AwsError, type LocalService, type Operations, ServerFault, serveAwsJson } from "./aws-json.ts";
import { type HardQueues, hardQueues } from "./hard/sqs.ts";
import { type Message, md5, Queue } from "./queue.ts";
import { type BatchEntry, checkBatch, checkMessage, type SendEntry, sqsError } from "./sqs-checks.ts";

interface OfQueue {
  QueueUrl: string;
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
  const queues = new Map(names.map((name) => [name, hard ? hard.queue(name) : new Queue(name)]));
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

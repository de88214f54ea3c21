// KMS, SQS and S3 in the memory of this process, with the operations that the local server has too. They answer what is
// sent to `memoryUrl`. Every other address is a server that a test has started.
import { randomBytes } from "node:crypto";
import { KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { SESv2Client } from "@aws-sdk/client-sesv2";
import { SQSClient } from "@aws-sdk/client-sqs";
import { AwsError, type Operations, ServerFault } from "../../../infra/local/aws-json.ts";
import { kmsOperations } from "../../../infra/local/kms.ts";
import { Queue } from "../../../infra/local/queue.ts";
import { sqsOperations } from "../../../infra/local/sqs.ts";
import type { AwsCommand } from "../aws/edge.ts";
import { memoryUrl } from "./memory-url.ts";
import { refusal } from "./table-in-memory.ts";

export const queueUrlOf = (kind: string) => `${memoryUrl}/000000000000/${kind}`;

const queues = new Map<string, Queue>();
const files = new Map<string, Uint8Array>();

/** Forgets all messages and files. */
export function emptyServices(): void {
  queues.clear();
  files.clear();
}

/** The queue of a job kind. */
export function queueInMemory(kind: string): Queue {
  const queue = queues.get(kind) ?? new Queue(kind);
  queues.set(kind, queue);
  return queue;
}

const kms = kmsOperations(randomBytes(32));
const sqs = sqsOperations((url) => queueInMemory(url.split("/").at(-1) ?? ""));

const s3: Operations = {
  PutObject: ({ Key, Body }) => {
    files.set(Key, new Uint8Array(Body));
    return {};
  },
  GetObject: ({ Key }) => {
    const bytes = files.get(Key);
    if (!bytes) throw new AwsError("NoSuchKey", "The specified key does not exist.");
    return { Body: { transformToByteArray: async () => new Uint8Array(bytes) } };
  },
  ListObjectsV2: ({ Prefix }) => {
    const keys = [...files.keys()].filter((each) => each.startsWith(Prefix)).sort();
    return { Contents: keys.slice(0, 1_000).map((Key) => ({ Key })) };
  },
  DeleteObjects: ({ Delete }) => {
    for (const { Key } of Delete.Objects) files.delete(Key);
    return {};
  },
};

const services = [
  { client: KMSClient, variable: "AWS_ENDPOINT_URL_KMS", operations: kms, bytes: ["Plaintext", "CiphertextBlob"] },
  { client: SQSClient, variable: "AWS_ENDPOINT_URL_SQS", operations: sqs, bytes: [] },
  { client: S3Client, variable: "AWS_ENDPOINT_URL_S3", operations: s3, bytes: [] },
];

type Send = (this: unknown, command: AwsCommand, options?: { abortSignal?: AbortSignal }) => Promise<unknown>;

// `send` is replaced on import, before a test can mock it.
for (const { client, variable, operations, bytes } of services) {
  const prototype = client.prototype as unknown as { send: Send };
  const { send } = prototype;
  prototype.send = async function (command, options) {
    if (process.env[variable] !== memoryUrl) return send.call(this, command, options);
    await undefined;
    if (options?.abortSignal?.aborted) throw refusal("AbortError", "Request aborted");
    const name = command.constructor.name.replace(/Command$/, "");
    const operation = operations[name];
    if (!operation) throw new Error(`${variable} in memory does not support ${name}.`);
    try {
      const output = await operation(
        converted(command.input, bytes, (value) => Buffer.from(value as Uint8Array).toString("base64")),
      );
      return converted(output, bytes, (value) => new Uint8Array(Buffer.from(value as string, "base64")));
    } catch (thrown) {
      if (!(thrown instanceof AwsError)) throw thrown;
      const fault = thrown instanceof ServerFault ? "server" : "client";
      throw refusal(thrown.type.split("#").at(-1) as string, thrown.message, { $fault: fault });
    }
  };
}

// The service keeps its client of SES, and each test file starts a stand-in of its own.
const ses = new Map<string, SESv2Client>();
const sesPrototype = SESv2Client.prototype as unknown as { send: Send };
const sendBySes = sesPrototype.send;
sesPrototype.send = async function (command, ...rest) {
  const address = String(process.env.AWS_ENDPOINT_URL_SESV2);
  const client = ses.get(address) ?? (ses.size === 0 ? (this as SESv2Client) : new SESv2Client({ maxAttempts: 1 }));
  ses.set(address, client);
  return sendBySes.call(client, command, ...rest);
};

/** AWS's JSON has bytes as base64, and the SDK's clients as bytes. */
function converted(value: object, names: readonly string[], convert: (bytes: unknown) => unknown): object {
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, each]) => [name, names.includes(name) && each ? convert(each) : each]));
}

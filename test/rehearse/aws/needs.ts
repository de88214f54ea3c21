// The permissions that a request to AWS needs, with IAM's context keys for it. A request of a kind that is not listed
// here throws: a guess could allow what AWS denies.
import { tableSchema } from "../../../infra/stack/table-schema.ts";
import type { Need } from "./policy.ts";

const account = "us-east-1:000000000000";

export const arnOf = {
  table: (name: string) => `arn:aws:dynamodb:${account}:table/${name}`,
  queue: (name: string) => `arn:aws:sqs:${account}:${name}`,
  bucket: (name: string) => `arn:aws:s3:::${name}`,
  key: (id: string) => `arn:aws:kms:${account}:${id}`,
  lambda: (name: string) => `arn:aws:lambda:${account}:function:${name}`,
  logs: (name: string) => `arn:aws:logs:${account}:log-group:${name}:*`,
  rule: (name: string) => `arn:aws:events:${account}:rule/${name}`,
};

// biome-ignore lint/suspicious/noExplicitAny: the input of any operation
type Input = any;

/** Items by their operation in a transaction. */
const singleActions: Record<string, string> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
  Get: "GetItem",
};
const itemOperations = ["GetItem", "PutItem", "UpdateItem", "DeleteItem"];

export function needsOfDynamodb(operation: string, input: Input): Need[] {
  if (operation === "TransactWriteItems" || operation === "TransactGetItems") {
    return input.TransactItems.flatMap((each: Input) =>
      Object.entries<Input>(each).map(([verb, item]) => itemNeed(singleActions[verb] ?? unknown(verb), item)),
    );
  }
  if (operation === "BatchGetItem" || operation === "BatchWriteItem") {
    return Object.entries<Input>(input.RequestItems).map(([table, each]) => {
      const items = operation === "BatchGetItem" ? each.Keys : each.map(writtenBy);
      return tableNeed(operation, table, items.map(partitionOf));
    });
  }
  if (operation === "Query") {
    const need = tableNeed(operation, input.TableName, [queriedPartition(input)]);
    return [{ ...need, resource: input.IndexName ? `${need.resource}/index/${input.IndexName}` : need.resource }];
  }
  return itemOperations.includes(operation) ? [itemNeed(operation, input)] : unknown(`dynamodb:${operation}`);
}

/** SQS takes no longer delay. */
const delayMsMax = 900_000;

/**
 * What the role needs after this write: the queues of its new jobs, unless they are due so late that the sweeper sends
 * them. Without a queue, a job would silently wait for the sweeper.
 */
export function needsAfter(operation: string, input: Input, now: number): Need[] {
  const puts = operation === "TransactWriteItems" ? input.TransactItems.map(({ Put }: Input) => Put) : [input];
  const jobs = puts.flatMap((put: Input) => (put?.Item?.entity?.S === "job" ? [put.Item] : []));
  const soon = jobs.filter((job: Input) => Number(job.dueAt.N) - now <= delayMsMax);
  return soon.map((job: Input) => ({ action: "sqs:SendMessage", resource: arnOf.queue(job.kind.S) }));
}

const writtenBy = ({ PutRequest, DeleteRequest }: Input) => PutRequest?.Item ?? DeleteRequest.Key;
const partitionOf = (item: Input): string => item[tableSchema.partitionKey].S;

function itemNeed(operation: string, { TableName, Key, Item }: Input): Need {
  return tableNeed(operation, TableName, [partitionOf(Key ?? Item)]);
}

function tableNeed(operation: string, table: string, partitions: string[]): Need {
  return {
    action: `dynamodb:${operation}`,
    resource: table.startsWith("arn:") ? table : arnOf.table(table),
    context: { "dynamodb:LeadingKeys": [...new Set(partitions)] },
  };
}

/** The value of the partition key. It is the one that the condition compares for equality. */
function queriedPartition({ KeyConditionExpression, ExpressionAttributeValues }: Input): string {
  const [, name = ""] = /= *(:\w+)/.exec(KeyConditionExpression) ?? [];
  return ExpressionAttributeValues[name]?.S ?? unknown(`the key condition ${KeyConditionExpression}`);
}

export function needsOfKms(operation: string, { EncryptionContext = {}, KeyId }: Input): Need[] {
  if (operation !== "GenerateDataKey" && operation !== "Decrypt") unknown(`kms:${operation}`);
  if (!KeyId) unknown(`kms:${operation} without a key`);
  const context = Object.entries<string>(EncryptionContext).map(([name, value]) => {
    return [`kms:EncryptionContext:${name}`, [value]] as const;
  });
  const resource = String(KeyId).startsWith("arn:") ? String(KeyId) : arnOf.key(String(KeyId));
  return [{ action: `kms:${operation}`, resource, context: Object.fromEntries(context) }];
}

export function needsOfSqs(operation: string, { QueueUrl }: Input): Need[] {
  if (operation !== "SendMessage" && operation !== "SendMessageBatch") unknown(`sqs:${operation}`);
  // A batch needs the permission of its single operation.
  return [{ action: "sqs:SendMessage", resource: arnOf.queue(String(QueueUrl).split("/").at(-1) ?? "") }];
}

export function needsOfS3(method: string, url: string, body: string): Need[] {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const [, bucket = "", ...rest] = pathname.split("/");
  const key = rest.join("/");
  if (method === "POST" && searchParams.has("delete")) {
    const keys = [...body.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, each = ""]) => each);
    return keys.map((each) => ({ action: "s3:DeleteObject", resource: `${arnOf.bucket(bucket)}/${each}` }));
  }
  if (key === "" && method === "GET" && searchParams.has("list-type")) return [listNeed(bucket)];
  const action = { GET: "s3:GetObject", PUT: "s3:PutObject", DELETE: "s3:DeleteObject" }[method];
  if (key === "" || !action) return unknown(`s3: ${method} ${url}`);
  return [{ action, resource: `${arnOf.bucket(bucket)}/${key}` }];
}

/** The permission without which S3 does not say that a file is missing. */
export const listNeed = (bucket: string): Need => ({ action: "s3:ListBucket", resource: arnOf.bucket(bucket) });

function unknown(what: string): never {
  throw new Error(`test/rehearse/aws/needs.ts does not know which permission ${what} needs.`);
}

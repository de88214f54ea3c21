// Mocked AWS clients for a handler's source: replies come from fixtures, and every call is recorded.
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";

type Row = Record<string, unknown>;
const nameOf = (key: Row | undefined) => `${key?.pk} ${key?.sk}`;

/** The table has `items`. Writes succeed and change nothing. */
export function mockAws(items: Row[] = []) {
  const rows = new Map(items.map((item) => [nameOf(item), item]));
  const dynamo = mockClient(DynamoDBDocumentClient);
  const kms = mockClient(KMSClient);
  const s3 = mockClient(S3Client);
  const sqs = mockClient(SQSClient);
  const consumed = { ConsumedCapacity: { CapacityUnits: 1 } };
  dynamo.on(GetCommand).callsFake(async ({ Key }) => ({ Item: rows.get(nameOf(Key)), ...consumed }));
  dynamo.on(BatchGetCommand).callsFake(async ({ RequestItems }) => {
    const [table, { Keys }] = Object.entries(RequestItems)[0] as [string, { Keys: Row[] }];
    return { Responses: { [table]: Keys.flatMap((key) => rows.get(nameOf(key)) ?? []) } };
  });
  dynamo.on(QueryCommand).callsFake(async ({ ExpressionAttributeValues: values }) => ({
    Items: items.filter((item) => item.pk === values[":pk"] && String(item.sk).startsWith(values[":sk"] ?? "")),
  }));
  for (const command of [PutCommand, UpdateCommand, DeleteCommand, TransactWriteCommand, BatchWriteCommand]) {
    dynamo.on(command as typeof PutCommand).callsFake(async () => consumed);
  }
  const key = { Plaintext: new Uint8Array(32), CiphertextBlob: new Uint8Array([1]) };
  kms.on(GenerateDataKeyCommand).callsFake(async () => ({ ...key, Plaintext: new Uint8Array(32) }));
  kms.on(DecryptCommand).callsFake(async () => ({ Plaintext: new Uint8Array(32) }));
  s3.on(PutObjectCommand).resolves({});
  s3.on(GetObjectCommand).resolves({ Body: { transformToByteArray: async () => Buffer.from("{}") } as never });
  sqs.on(SendMessageBatchCommand).resolves({});
  return {
    dynamo,
    kms,
    s3,
    sqs,
    /** A line for each call, grouped by client: the operation, its keys, and the condition of each write. */
    calls: () => [dynamo, kms, s3, sqs].flatMap((client) => client.calls().map(({ args }) => describe(args[0]))),
    restore: () => [dynamo, kms, s3, sqs].forEach((client) => void client.restore()),
  };
}

function describe(command: { constructor: { name: string }; input: object }): string {
  const operation = command.constructor.name.replace(/Command$/, "");
  const input = command.input as Record<string, never>;
  return `${operation} ${keysOf(operation, input).join(", ")}`.trim();
}

function keysOf(operation: string, input: Record<string, unknown>): string[] {
  if (operation === "BatchGet")
    return Object.values(input.RequestItems as Record<string, { Keys: Row[] }>).flatMap((each) =>
      each.Keys.map(nameOf),
    );
  if (operation === "TransactWrite") {
    return (input.TransactItems as Record<string, Conditional & { Item?: Row; Key?: Row }>[]).flatMap((each) =>
      Object.entries(each).map(([verb, write]) => `${verb} ${nameOf(write.Item ?? write.Key)}${conditionOf(write)}`),
    );
  }
  if (operation === "Query") return [String((input.ExpressionAttributeValues as Row)[":pk"])];
  const key = input.Key ?? input.Item;
  if (typeof key === "string") return [key];
  return key ? [`${nameOf(key as Row)}${conditionOf(input)}`] : [];
}

interface Conditional {
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
}

/** ` if absent`, ` if present`, or the attributes that it names: ` if {rev & no createdAt & any role & generation at most}`. */
function conditionOf({ ConditionExpression, ExpressionAttributeNames = {} }: Conditional): string {
  if (!ConditionExpression) return "";
  const terms = ConditionExpression.split(" AND ").map((term) => {
    const name = ExpressionAttributeNames[/#\w+/.exec(term)?.[0] ?? ""];
    if (term.startsWith("(")) return `${name} ${term.includes("<=") ? "at most" : "above"}`;
    if (term.startsWith("attribute_not_exists")) return name === "pk" ? "absent" : `no ${name}`;
    if (term.startsWith("attribute_exists")) return name === "pk" ? "present" : `any ${name}`;
    return name;
  });
  const isWhole = terms.length === 1 && /^(?:absent|present)$/.test(String(terms[0]));
  return isWhole ? ` if ${terms[0]}` : ` if {${terms.join(" & ")}}`;
}

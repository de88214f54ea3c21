// The edge refuses what a role does not allow, as AWS does. The clients are the SDK's own.
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileBucket, keyAlias } from "../../../infra/local/environment.ts";
import { type Edge, startEdge } from "./edge.ts";
import { arnOf } from "./needs.ts";
import type { Statement } from "./policy.ts";
import { Queues } from "./queues.ts";
import { newSession } from "./session.ts";

const queues = new Queues([{ kind: "purge", visibilitySeconds: 30, receivesMax: 10 }], Date.now);
let edge: Edge;
beforeAll(async () => {
  edge = await startEdge(() => queues);
});
afterAll(() => edge.close());

const allow = (Action: string, Resource: string, Condition?: Statement["Condition"]): Statement => ({
  Effect: "Allow",
  Action,
  Resource,
  ...(Condition && { Condition }),
});

/** The session of a role, and the settings of its clients. */
function as(...role: Statement[]) {
  const session = newSession("f", role);
  const access = edge.access(session);
  const credentials = {
    accessKeyId: access.AWS_ACCESS_KEY_ID as string,
    secretAccessKey: access.AWS_SECRET_ACCESS_KEY as string,
  };
  const to = (service: string) => ({
    endpoint: access[`AWS_ENDPOINT_URL_${service}`] as string,
    region: "us-east-1",
    credentials,
  });
  return { session, to };
}

const TableName = () => process.env.TABLE_NAME as string;
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "s" } });

describe("DynamoDB", () => {
  it("refuses an action that the role lacks, and names role, action and resource", async () => {
    const { session, to } = as();
    const asked = new DynamoDBClient(to("DYNAMODB")).send(
      new GetItemCommand({ TableName: TableName(), Key: key("a") }),
    );
    const message = `User: arn:aws:sts::000000000000:assumed-role/f-role/f is not authorized to perform: dynamodb:GetItem on resource: ${arnOf.table(TableName())} because no identity-based policy allows the dynamodb:GetItem action`;
    await expect(asked).rejects.toMatchObject({ name: "AccessDeniedException", message });
    expect([...session.denials]).toEqual(["dynamodb:GetItem"]);
  });

  it("allows only partitions that match the condition", async () => {
    const condition = { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["W#*#%CALLS"] } };
    const { session, to } = as(allow("dynamodb:UpdateItem", arnOf.table(TableName()), condition));
    const client = new DynamoDBClient({ ...to("DYNAMODB"), maxAttempts: 10 });
    const update = (pk: string) => client.send(new UpdateItemCommand({ TableName: TableName(), Key: key(pk) }));
    await update("W#w#%CALLS");
    await expect(update("W#w")).rejects.toMatchObject({ name: "AccessDeniedException" });
    expect([...session.used]).toEqual(["dynamodb:UpdateItem W#*#%CALLS"]);
    expect([...session.denials]).toEqual(["dynamodb:UpdateItem"]);
  });

  it("fails for an operation whose permission is not known here, and says so", async () => {
    const { session, to } = as(allow("dynamodb:*", arnOf.table(TableName())));
    const client = new DynamoDBClient({ ...to("DYNAMODB"), maxAttempts: 1 });
    await expect(client.send(new ScanCommand({ TableName: TableName() }))).rejects.toThrow();
    expect([...session.unknown]).toEqual([expect.stringContaining("dynamodb:Scan")]);
  });

  it("checks each item of a transaction under its own action", async () => {
    const { session, to } = as(allow("dynamodb:PutItem", arnOf.table(TableName())));
    const TransactItems = [
      { Put: { TableName: TableName(), Item: key("a") } },
      { Delete: { TableName: TableName(), Key: key("b") } },
    ];
    const asked = new DynamoDBClient(to("DYNAMODB")).send(new TransactWriteItemsCommand({ TransactItems }));
    await expect(asked).rejects.toMatchObject({ name: "AccessDeniedException" });
    expect([...session.denials]).toEqual(["dynamodb:DeleteItem"]);
  });

  it("passes a new job of a role without its queue, and notes it unless only the sweeper can send the job", async () => {
    const { session, to } = as(
      allow("dynamodb:PutItem", arnOf.table(TableName())),
      allow("sqs:SendMessage", arnOf.queue("purge")),
    );
    const client = new DynamoDBClient(to("DYNAMODB"));
    const put = async (kind: string, dueInMs: number) => {
      const job = { entity: { S: "job" }, kind: { S: kind }, dueAt: { N: String(Date.now() + dueInMs) } };
      const Item = { ...key(`JOB#${kind}`), ...job };
      await client.send(new PutItemCommand({ TableName: TableName(), Item }));
    };
    await put("purge", 0);
    await put("drain", 3_600_000);
    expect([...session.denials]).toEqual([]);
    await put("fanout", 60_000);
    expect([...session.denials]).toEqual(["sqs:SendMessage fanout"]);
  });
});

it("KMS refuses another purpose than that of the role", async () => {
  const purpose = { StringEquals: { "kms:EncryptionContext:purpose": "signing-key" } };
  const { session, to } = as(
    allow("kms:GenerateDataKey", arnOf.key(keyAlias), purpose),
    allow("kms:Decrypt", arnOf.key(keyAlias), purpose),
  );
  const client = new KMSClient(to("KMS"));
  const context = (name: string) => ({ KeyId: keyAlias, EncryptionContext: { workspace: "w", purpose: name } });
  const { CiphertextBlob } = await client.send(
    new GenerateDataKeyCommand({ ...context("signing-key"), KeySpec: "AES_256" }),
  );
  const decrypt = (name: string) => client.send(new DecryptCommand({ ...context(name), CiphertextBlob }));
  expect((await decrypt("signing-key")).Plaintext).toHaveLength(32);
  await expect(decrypt("webhook-secret")).rejects.toMatchObject({ name: "AccessDeniedException" });
  expect([...session.denials]).toEqual(["kms:Decrypt webhook-secret"]);
  // A role for both purposes does not open the one as the other: the context is part of what is sealed.
  const both = new KMSClient(as(allow("kms:Decrypt", arnOf.key(keyAlias))).to("KMS"));
  const other = both.send(new DecryptCommand({ ...context("webhook-secret"), CiphertextBlob }));
  await expect(other).rejects.toMatchObject({ name: "InvalidCiphertextException" });
});

describe("S3", () => {
  const files = `${arnOf.bucket(fileBucket)}/*`;
  const get = (client: S3Client, Key: string) => client.send(new GetObjectCommand({ Bucket: fileBucket, Key }));

  it("says that a file does not exist only to a role that may list the bucket", async () => {
    const { session, to } = as(allow("s3:GetObject", files));
    await expect(get(new S3Client(to("S3")), "none")).rejects.toMatchObject({ name: "AccessDenied" });
    expect([...session.denials]).toEqual(["s3:ListBucket"]);
    const listing = as(allow("s3:GetObject", files), allow("s3:ListBucket", arnOf.bucket(fileBucket)));
    await expect(get(new S3Client(listing.to("S3")), "none")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  it("takes and returns files", async () => {
    const { session, to } = as(allow("s3:GetObject", files), allow("s3:PutObject", files));
    const client = new S3Client(to("S3"));
    await client.send(new PutObjectCommand({ Bucket: fileBucket, Key: "w/file", Body: "text" }));
    expect(await (await get(client, "w/file")).Body?.transformToString()).toBe("text");
    expect([...session.denials]).toEqual([]);
  });
});

it("SQS takes messages for the queues of the role only", async () => {
  const { session, to } = as(allow("sqs:SendMessage", arnOf.queue("purge")));
  const client = new SQSClient(to("SQS"));
  const send = (kind: string) => {
    const Entries = [{ Id: "0", MessageBody: "job", MessageGroupId: "w" }];
    return client.send(new SendMessageBatchCommand({ QueueUrl: edge.urlOfQueue(kind), Entries }));
  };
  expect((await send("purge")).Successful).toHaveLength(1);
  expect(queues.next("w")).toMatchObject({ kind: "purge", body: "job" });
  await expect(send("notify")).rejects.toMatchObject({ name: "AccessDeniedException" });
  expect([...session.denials]).toEqual(["sqs:SendMessage notify"]);
});

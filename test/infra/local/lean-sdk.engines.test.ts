// The bundles have a reduced AWS SDK. Its errors must equal those of the complete SDK.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { bundleEntries } from "../../../infra/build/bundler.ts";
import { AwsError, serveAwsJson } from "../../../infra/local/aws-json.ts";
import { handler as complete } from "../../support/local/failing-calls.ts";

type Call = Parameters<typeof complete>[0];

let dir: string;
let reduced: typeof complete;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "lean-sdk-"));
  await bundleEntries([{ name: "calls", source: "test/support/local/failing-calls.ts", readsTable: false }], dir);
  reduced = (await import(pathToFileURL(join(dir, "calls/index.mjs")).href)).handler;
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Makes a call that fails. Returns the error of the reduced SDK, which must equal that of the complete SDK. */
async function failureOf(operation: Call["operation"], input: object, endpoint?: string) {
  const call = { operation, input: input as never, ...(endpoint && { endpoint }) };
  const failure = await reduced(call);
  expect(failure).toEqual(await complete(call));
  return failure;
}

const TableName = process.env.TABLE_NAME;

/** Stores an item. Returns a write of the same item on the condition that it is absent. */
async function failingWrite() {
  const Item = { pk: `lean-sdk ${randomUUID()}`, sk: "s", count: 7 };
  expect(await reduced({ operation: "put", input: { TableName, Item } as never })).toEqual({});
  const ConditionExpression = "attribute_not_exists(pk)";
  return { TableName, Item, ConditionExpression, ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
}

it("a failed condition has its name and is not retried", async () => {
  const write = await failingWrite();
  const failure = await failureOf("put", write);
  expect(failure).toMatchObject({ name: "ConditionalCheckFailedException", httpStatusCode: 400, attempts: 1 });
});

it("a cancelled transaction has a reason for each write", async () => {
  const refused = await failingWrite();
  const accepted = { TableName, Item: { pk: randomUUID(), sk: "s" } };
  const failure = await failureOf("transact", { TransactItems: [{ Put: accepted }, { Put: refused }] });
  expect(failure.name).toBe("TransactionCanceledException");
  expect(failure.CancellationReasons).toMatchObject([{ Code: "None" }, { Code: "ConditionalCheckFailed" }]);
});

it("the reduced SDK works when the environment sets adaptive retries", async () => {
  vi.stubEnv("AWS_RETRY_MODE", "adaptive");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(
    await reduced({ operation: "put", input: { TableName, Item: { pk: randomUUID(), sk: "s" } } as never }),
  ).toEqual({});
});

it("an error without a class keeps its name and message, and is not retried", async () => {
  const failure = await failureOf("get", { TableName: "no-such-table", Key: { pk: "p", sk: "s" } });
  expect(failure).toMatchObject({ name: "ResourceNotFoundException", $fault: "client", attempts: 1 });
  expect(failure.message).not.toBe("UnknownError");
});

it.each([
  "ThrottlingException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "TransactionInProgressException",
  "ReplicatedWriteConflictException",
])("%s is retried", async (type) => {
  const stub = await serveAwsJson(
    {
      GetItem: () => {
        throw new AwsError(`com.amazonaws.dynamodb.v20120810#${type}`, "Slow down.");
      },
    },
    "application/x-amz-json-1.0",
  );
  onTestFinished(stub.close);
  const failure = await failureOf("get", { TableName, Key: { pk: "p", sk: "s" } }, stub.endpoint);
  expect(failure).toMatchObject({ name: type, message: "Slow down.", attempts: 3 });
});

it("KMS's error for an unknown ciphertext has its name", async () => {
  const input = { KeyId: process.env.KMS_KEY_ID, CiphertextBlob: new Uint8Array(64) };
  const failure = await failureOf("decrypt", input);
  expect(failure).toMatchObject({ name: "InvalidCiphertextException", attempts: 1 });
});

it("SQS's error for a missing queue has its name", async () => {
  const QueueUrl = `${process.env.AWS_ENDPOINT_URL_SQS}/000000000000/none`;
  const failure = await failureOf("send", { QueueUrl, Entries: [{ Id: "0", MessageBody: "m" }] });
  expect(failure).toMatchObject({ name: "QueueDoesNotExist", attempts: 1 });
});

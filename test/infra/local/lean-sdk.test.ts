// The bundled SDK is reduced: an error must look as from the complete SDK.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { bundleEntries } from "../../../infra/bundler.ts";
import { AwsError, serveAwsJson } from "../../../infra/local/aws-json.ts";
import { handler as whole } from "../../support/local/failing-calls.ts";

type Call = Parameters<typeof whole>[0];

let dir: string;
let lean: typeof whole;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "lean-sdk-"));
  await bundleEntries([{ name: "calls", source: "test/support/local/failing-calls.ts", readsTable: false }], dir);
  lean = (await import(pathToFileURL(join(dir, "calls/index.mjs")).href)).handler;
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** The error of a call by the reduced SDK, compared with that of the complete one. */
async function failureOf(operation: Call["operation"], input: object, endpoint?: string) {
  const call = { operation, input: input as never, ...(endpoint && { endpoint }) };
  const failure = await lean(call);
  expect(failure).toEqual(await whole(call));
  return failure;
}

const TableName = process.env.TABLE_NAME;

/** An existing item, and a write whose condition is its absence. */
async function existingItem() {
  const Item = { pk: `lean-sdk ${randomUUID()}`, sk: "s", count: 7 };
  expect(await lean({ operation: "put", input: { TableName, Item } as never })).toEqual({});
  const ConditionExpression = "attribute_not_exists(pk)";
  return { TableName, Item, ConditionExpression, ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
}

it("a failed condition has its name and the item", async () => {
  const write = await existingItem();
  const failure = await failureOf("put", write);
  expect(failure).toMatchObject({ name: "ConditionalCheckFailedException", httpStatusCode: 400, attempts: 1 });
});

it("a cancelled transaction has a reason for each write", async () => {
  const lost = await existingItem();
  const kept = { TableName, Item: { pk: randomUUID(), sk: "s" } };
  const failure = await failureOf("transact", { TransactItems: [{ Put: kept }, { Put: lost }] });
  expect(failure.name).toBe("TransactionCanceledException");
  expect(failure.CancellationReasons).toMatchObject([{ Code: "None" }, { Code: "ConditionalCheckFailed" }]);
});

it("works where the environment asks for adaptive retries", async () => {
  vi.stubEnv("AWS_RETRY_MODE", "adaptive");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await lean({ operation: "put", input: { TableName, Item: { pk: randomUUID(), sk: "s" } } as never })).toEqual(
    {},
  );
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

it("KMS's error for a foreign ciphertext has its name", async () => {
  const input = { KeyId: process.env.KMS_KEY_ID, CiphertextBlob: new Uint8Array(64) };
  const failure = await failureOf("decrypt", input);
  expect(failure).toMatchObject({ name: "InvalidCiphertextException", attempts: 1 });
});

it("a missing queue has its name", async () => {
  const QueueUrl = `${process.env.AWS_ENDPOINT_URL_SQS}/000000000000/none`;
  const failure = await failureOf("send", { QueueUrl, Entries: [{ Id: "0", MessageBody: "m" }] });
  expect(failure).toMatchObject({ name: "QueueDoesNotExist", attempts: 1 });
});

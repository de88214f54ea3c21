// The bundles have a smaller copy of the SDK. It must send what the SDK itself sends, and read the same from replies.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type * as commands from "@aws-sdk/lib-dynamodb";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { builtins } from "../../infra/build/bundler-plugins.ts";
import { leanSdk } from "../../infra/build/lean-sdk.ts";
import { root } from "../support/sources.ts";

type Commands = typeof commands;
type Sdk = Commands & { DynamoDBClient: typeof DynamoDBClient; loadConfig(setting: object): () => Promise<unknown> };

const source = `export { DynamoDBClient } from "@aws-sdk/client-dynamodb";
export { BatchGetCommand, BatchWriteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand,
  TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
export { loadConfig } from "@smithy/core/config";`;

let dir: string;
let lean: Sdk;
let full: Sdk;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "lean-sdk-"));
  const bundleTo = async (outfile: string, plugins: (typeof leanSdk)[]) => {
    const stdin = { contents: source, resolveDir: root };
    const mainFields = ["module", "main"];
    await build({ bundle: true, format: "esm", platform: "node", mainFields, stdin, outfile, plugins });
    return import(/* @vite-ignore */ pathToFileURL(outfile).href);
  };
  lean = await bundleTo(join(dir, "lean.mjs"), [builtins, leanSdk]);
  full = await bundleTo(join(dir, "full.mjs"), [builtins]);
});

afterAll(() => rm(dir, { recursive: true, force: true }));

// As in Lambda: with this header, AWS ends loops of functions.
beforeEach(() => void vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "f").stubEnv("_X_AMZN_TRACE_ID", "Root=1"));
afterEach(() => void vi.unstubAllEnvs());

interface Reply {
  status?: number;
  body: object | string;
}

/** Sends a command. Returns the request, and its output or error. */
async function exchange(from: Sdk, name: keyof Commands, input: object, { status = 200, body }: Reply) {
  let sent: object | undefined;
  const requestHandler = {
    handle: async (request: { headers: Record<string, string>; body: string | Uint8Array }) => {
      const { "x-amz-target": target, "content-type": type, "content-length": length } = request.headers;
      const { "X-Amzn-Trace-Id": trace } = request.headers;
      const text = typeof request.body === "string" ? request.body : new TextDecoder().decode(request.body);
      expect(Number(length)).toBe(Buffer.byteLength(text));
      sent = { target, type, trace, body: JSON.parse(text) };
      const replied = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
      return { response: { statusCode: status, headers: { "x-amzn-requestid": "r" }, body: replied } };
    },
  };
  const credentials = { accessKeyId: "a", secretAccessKey: "s" };
  const client = new from.DynamoDBClient({ region: "us-east-1", credentials, maxAttempts: 1, requestHandler });
  const options = { marshallOptions: { removeUndefinedValues: true } };
  const documents = from.DynamoDBDocumentClient.from(client as never, options);
  const Command = from[name] as unknown as new (input: object) => never;
  const outcome = await documents.send(new Command(structuredClone(input))).catch((thrown: Error) => {
    const { $response: _, ...members } = thrown as Error & { $response?: object };
    return { ...members, thrown: thrown.name, message: thrown.message };
  });
  return { sent, outcome };
}

const bytes = new Uint8Array([0, 1, 254, 255]);
const item = {
  pk: 'W#ä€😀\u0001"\\',
  number: 1.5,
  yes: true,
  nothing: null,
  missing: undefined,
  list: ["a", 2, { deep: [] }],
  map: { B: "text", BS: ["no", "bytes"], S: bytes },
  set: new Set(["x", "y"]),
  B: bytes.subarray(1),
  BS: new Set([bytes]),
};
const stored = {
  pk: { S: "W#ä€😀" },
  number: { N: "1.5" },
  no: { BOOL: false },
  nothing: { NULL: true },
  list: { L: [{ S: "a" }, { B: "AAH+/w==" }] },
  map: { M: { B: { S: "text" }, BS: { L: [{ S: "no" }] }, N: { NS: ["1", "2"] } } },
  B: { B: "Af7/" },
  BS: { BS: ["AAH+/w==", ""] },
};
const ConsumedCapacity = { TableName: "t", CapacityUnits: 0.5 };
const prefix = "com.amazonaws.dynamodb.v20120810#";
const keys = [{ pk: "a", sk: "b" }];
const update = { Update: { TableName: "t", Key: keys[0], UpdateExpression: "SET a = :b" } };

describe("the bundled SDK sends and reads the same as the SDK", () => {
  it.each<[string, keyof Commands, object, Reply]>([
    ["a read", "GetCommand", { TableName: "t", Key: keys[0] }, { body: { Item: stored, ConsumedCapacity } }],
    ["a read without a result", "GetCommand", { TableName: "t", Key: keys[0] }, { body: {} }],
    [
      "a query",
      "QueryCommand",
      { TableName: "t", ExpressionAttributeValues: { ":pk": "a" }, Limit: 2, ConsistentRead: true },
      { body: { Items: [stored, stored], Count: 2, LastEvaluatedKey: { pk: { S: "a" } }, ConsumedCapacity } },
    ],
    [
      "a batch of reads",
      "BatchGetCommand",
      { RequestItems: { t: { Keys: keys } } },
      {
        body: {
          Responses: { t: [stored] },
          UnprocessedKeys: { t: { Keys: [{ pk: { S: "a" } }] } },
          ConsumedCapacity: [ConsumedCapacity],
        },
      },
    ],
    [
      "a batch of writes",
      "BatchWriteCommand",
      { RequestItems: { t: [{ PutRequest: { Item: item } }, { DeleteRequest: { Key: keys[0] } }] } },
      { body: { UnprocessedItems: { t: [{ PutRequest: { Item: stored } }] } } },
    ],
    ["a write", "PutCommand", { TableName: "t", Item: item }, { body: { ConsumedCapacity } }],
    [
      "an update",
      "UpdateCommand",
      { TableName: "t", Key: keys[0], UpdateExpression: "SET a = :b", ExpressionAttributeValues: { ":b": bytes } },
      { body: { Attributes: stored } },
    ],
    [
      "a transaction",
      "TransactWriteCommand",
      { TransactItems: [update, { Put: { TableName: "t", Item: item } }], ClientRequestToken: "token" },
      { body: { ConsumedCapacity: [ConsumedCapacity] } },
    ],
    [
      "a cancelled transaction",
      "TransactWriteCommand",
      { TransactItems: [update], ClientRequestToken: "token" },
      {
        status: 400,
        body: {
          __type: `${prefix}TransactionCanceledException`,
          Message: "Transaction cancelled.",
          CancellationReasons: [{ Code: "None" }, { Code: "ConditionalCheckFailed", Message: "m", Item: stored }],
        },
      },
    ],
    [
      "a lost condition",
      "PutCommand",
      { TableName: "t", Item: item, ConditionExpression: "a = b" },
      { status: 400, body: { __type: `${prefix}ConditionalCheckFailedException`, message: "failed", Item: stored } },
    ],
    ...["ProvisionedThroughputExceededException", "ThrottlingException", "TransactionConflictException", "New"].map(
      (name): [string, keyof Commands, object, Reply] => [
        `the error ${name}`,
        "GetCommand",
        { TableName: "t", Key: keys[0] },
        { status: 400, body: { __type: `${prefix}${name}`, message: "no", ThrottlingReasons: [{ reason: "r" }] } },
      ],
    ),
    [
      "an internal error",
      "GetCommand",
      { TableName: "t", Key: keys[0] },
      { status: 500, body: { __type: `${prefix}InternalServerError`, message: "no" } },
    ],
    ["a reply without JSON", "GetCommand", { TableName: "t", Key: keys[0] }, { status: 503, body: "<html>" }],
    ["a reply without a body", "GetCommand", { TableName: "t", Key: keys[0] }, { status: 503, body: "" }],
  ])("in %s", async (_, name, input, reply) => {
    const { sent, outcome } = await exchange(lean, name, input, reply);
    const expected = await exchange(full, name, input, reply);
    expect(sent).toEqual(expected.sent);
    expect(outcome).toEqual(expected.outcome);
  });
});

/** A read whose reply is a stream, in a process of its own. Prints which of Node's web streams it loaded. */
const readOfStream = (file: string) => `
  import { Readable } from "node:stream";
  const { DynamoDBClient, DynamoDBDocumentClient, GetCommand } = await import(${JSON.stringify(pathToFileURL(file))});
  const handle = async () => ({ response: { statusCode: 200, headers: {}, body: Readable.from([Buffer.from("{}")]) } });
  const credentials = { accessKeyId: "a", secretAccessKey: "s" };
  const client = new DynamoDBClient({ region: "us-east-1", credentials, requestHandler: { handle } });
  await DynamoDBDocumentClient.from(client).send(new GetCommand({ TableName: "t", Key: { pk: "a", sk: "b" } }));
  console.log(JSON.stringify(process.moduleLoadList.filter((name) => name.includes("webstreams"))));`;

it("a request of the bundled SDK loads no web streams", () => {
  const run = (file: string) =>
    JSON.parse(
      execFileSync(process.execPath, ["--input-type=module", "-e", readOfStream(join(dir, file))], {
        encoding: "utf8",
      }),
    );
  expect(run("lean.mjs")).toEqual([]);
  expect(run("full.mjs")).not.toEqual([]);
});

describe("loadConfig reads as the SDK's", () => {
  const name = "LEAN_SDK_TEST";
  const selector = (env: NodeJS.ProcessEnv) => {
    if (env[name] === "bad") throw new Error("It is not valid.");
    return env[name];
  };

  it.each([
    ["a variable", "value", "default"],
    ["the default for a missing variable", undefined, "default"],
    ["the default for a bad variable", "bad", "default"],
    ["a default that is a function", undefined, async () => "computed"],
    ["a default that is undefined", undefined, undefined],
  ])("%s", async (_, value, fallback) => {
    if (value !== undefined) process.env[name] = value;
    const setting = { environmentVariableSelector: selector, configFileSelector: () => undefined, default: fallback };
    try {
      expect(await lean.loadConfig(setting)()).toBe(await full.loadConfig(setting)());
    } finally {
      delete process.env[name];
    }
  });

  it("fails for a setting without a default", async () => {
    const fallback = () => {
      throw new Error("The region is missing.");
    };
    const setting = { environmentVariableSelector: selector, default: fallback };
    await expect(lean.loadConfig(setting)()).rejects.toThrow("The region is missing.");
  });
});

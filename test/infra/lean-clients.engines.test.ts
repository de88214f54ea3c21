// The clients of KMS and SQS in the bundles send what the SDK's own send, and read the same from replies.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as kms from "@aws-sdk/client-kms";
import type * as sqs from "@aws-sdk/client-sqs";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtins } from "../../infra/build/bundler-plugins.ts";
import { leanSdk } from "../../infra/build/lean-sdk.ts";
import { root } from "../support/sources.ts";

type Sdk = typeof kms & typeof sqs;

const contents = `export { DecryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
export { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";`;

let dir: string;
let sdks: Sdk[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "lean-clients-"));
  const bundled = async (name: string, plugins: (typeof leanSdk)[]): Promise<Sdk> => {
    const stdin = { contents, resolveDir: root };
    const outfile = join(dir, name);
    await build({
      bundle: true,
      format: "esm",
      platform: "node",
      mainFields: ["module", "main"],
      stdin,
      outfile,
      plugins,
    });
    return import(/* @vite-ignore */ pathToFileURL(outfile).href);
  };
  sdks = [await bundled("lean.mjs", [builtins, leanSdk]), await bundled("full.mjs", [builtins])];
});

afterAll(() => rm(dir, { recursive: true, force: true }));

/** Sends a command. Returns the request, and its output or error. */
async function exchange(
  from: Sdk,
  client: "KMSClient" | "SQSClient",
  command: object,
  statusCode: number,
  body: object,
) {
  let sent: object | undefined;
  const handle = async ({ headers, body: given }: { headers: Record<string, string>; body: string | Uint8Array }) => {
    const text = typeof given === "string" ? given : new TextDecoder().decode(given);
    sent = { target: headers["x-amz-target"], type: headers["content-type"], body: JSON.parse(text) };
    return { response: { statusCode, headers: {}, body: Buffer.from(JSON.stringify(body)) } };
  };
  const credentials = { accessKeyId: "a", secretAccessKey: "s" };
  const options = {
    region: "us-east-1",
    credentials,
    maxAttempts: 1,
    useQueueUrlAsEndpoint: false,
    requestHandler: { handle },
  };
  const made = new from[client](options as never) as unknown as { send(command: object): Promise<object> };
  const outcome = await made.send(command).catch((thrown: Error) => {
    const { $response: _, ...members } = thrown as Error & { $response?: object };
    return { ...members, thrown: thrown.name, message: thrown.message };
  });
  return { sent, outcome };
}

const QueueUrl = "https://sqs.us-east-1.amazonaws.com/1/q";
const CiphertextBlob = new Uint8Array([0, 254, 255]);

it.each<[string, "KMSClient" | "SQSClient", (sdk: Sdk) => object, number, object]>([
  [
    "decrypts",
    "KMSClient",
    (sdk) => new sdk.DecryptCommand({ CiphertextBlob, EncryptionContext: { a: "b" } }),
    200,
    { Plaintext: "AAH+/w==", KeyId: "k" },
  ],
  [
    "makes a data key",
    "KMSClient",
    (sdk) => new sdk.GenerateDataKeyCommand({ KeyId: "k", KeySpec: "AES_256" }),
    200,
    { Plaintext: "AAH+/w==", CiphertextBlob: "AAH+", KeyId: "k" },
  ],
  [
    "is refused",
    "KMSClient",
    (sdk) => new sdk.DecryptCommand({ CiphertextBlob }),
    400,
    { __type: "InvalidCiphertextException", message: "m" },
  ],
  [
    "sends messages",
    "SQSClient",
    (sdk) => new sdk.SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: "1", MessageBody: "abc", DelaySeconds: 3 }] }),
    200,
    { Successful: [{ Id: "1", MessageId: "m", MD5OfMessageBody: "900150983cd24fb0d6963f7d28e17f72" }], Failed: [] },
  ],
  [
    "finds no queue",
    "SQSClient",
    (sdk) => new sdk.SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: "1", MessageBody: "abc" }] }),
    400,
    { __type: "com.amazonaws.sqs#QueueDoesNotExist", message: "m" },
  ],
])("%s", async (_, client, commandOf, status, body) => {
  const [lean, full] = await Promise.all(sdks.map((sdk) => exchange(sdk, client, commandOf(sdk), status, body)));
  expect(lean).toEqual(full);
  expect(lean?.sent).toBeDefined();
});

import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, onTestFinished, test } from "vitest";
import { bundle } from "../../../infra/build/bundle.ts";
import { bundleEntries } from "../../../infra/build/bundler.ts";
import { openEngine } from "../../../infra/local/dynamodb.ts";
import { placeholderAccess } from "../../../infra/local/environment.ts";
import { createTable } from "../../../infra/local/table.ts";
import { bundleBytesMax, outDir } from "../../support/bundles.ts";
import { temporaryFolder } from "../../support/local/start.ts";

const entry = { name: "read-items", source: "test/support/local/read-items.ts", readsTable: false };

test("a bundled function reads items with the environment's credentials, and imports no built-in module", async () => {
  const dir = temporaryFolder();
  await bundleEntries([entry], dir);
  const bundle = join(dir, "read-items/index.mjs");
  expect(readFileSync(bundle, "utf8")).not.toMatch(/\bimport\s*[\w{*"'][^;]*["'](node:)?(http|https|fs|crypto)["']/);

  const engine = await openEngine(dir);
  onTestFinished(engine.close);
  await createTable(engine.endpoint, "table");
  const client = new DynamoDBClient({ endpoint: engine.endpoint, ...placeholderAccess });
  const Item = { pk: { S: "p" }, sk: { S: "b" }, count: { N: "7" } };
  await client.send(new PutItemCommand({ TableName: "table", Item }));
  client.destroy();

  // Runs in a process of its own, because the SDK's clients read the environment when they are created.
  const code = `const { handler } = await import(${JSON.stringify(pathToFileURL(bundle).href)});
    const output = await handler({ names: ["a", "b"] });
    const undici = process.moduleLoadList.some((name) => name.includes("undici"));
    console.log(JSON.stringify({ ...output, undici }));`;
  const env = {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    TABLE_NAME: "table",
  };
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", code], { env, encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({
    builtins: ["function", "function", "a/b"],
    items: [null, { pk: "p", sk: "b", count: 7 }],
    undici: false,
  });
});

test("every bundle has at most 280,000 bytes, or its own limit when it has further libraries than the AWS SDK", async () => {
  const { outputs } = await bundle({ outDir });
  const larger: Record<string, number> = {
    "crdt-add": 362_000,
    "crdt-get": 305_000,
    "crdt-update": 335_000,
    merge: 285_000,
    // It makes mails.
    "emailconfig-test": 450_000,
    // It has the SDK of SES, and the library that composes mails.
    message: 480_000,
    "ask-ai": 1_700_000,
    "memory-ask": 1_700_000,
    "agents-extract": 360_000,
    // It signs addresses for uploads.
    "agents-uploads-create": 295_000,
    // It signs receipts, and reads the schemas of what it redacts.
    purge: 395_000,
    draft: 1_700_000,
    ingest: 315_000,
    // The script of a process that reads files, with the libraries for PDF and XLSX.
    "reader.mjs": 2_100_000,
  };
  const limitOf = (path: string) => larger[basename(path)] ?? larger[basename(dirname(path))] ?? bundleBytesMax;
  const sizes = Object.entries(outputs).map(([path, { bytes }]) => ({ path, bytes, limit: limitOf(path) }));
  expect(sizes.length).toBeGreaterThan(20);
  expect(sizes.filter(({ bytes, limit }) => bytes > limit)).toEqual([]);
});

test("the bundle of an endpoint without credentials and store does not contain the SDK", () => {
  // The SDK alone is larger than this.
  expect(statSync(join(outDir, "not-found/index.mjs")).size).toBeLessThan(50_000);
});

test("a bundle has the same bytes when it is built alone and with others", async () => {
  const dir = temporaryFolder();
  await bundle({ outDir: dir, only: ["not-found"] });
  const [alone, together] = [dir, outDir].map((each) => readFileSync(join(each, "not-found/index.mjs"), "utf8"));
  expect(alone).toBe(together);
});

test("a bundle has the same bytes after every build of the same sources", async () => {
  const [first, second] = [temporaryFolder(), temporaryFolder()];
  await Promise.all([first, second].map((dir) => bundleEntries([entry], dir)));
  const [one, other] = [first, second].map((dir) => readFileSync(join(dir, "read-items/index.mjs")));
  expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
});

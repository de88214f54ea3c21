// npm run bench [-- --quick]: sizes, import, cold and warm requests. Other options replace these measurements:
// --large (growing amounts of data), --memory [--cranfield DIR] (cost and quality of the memory), --sizes (what the
// memory size of a function costs), --webhooks (deliveries), --activities (the activity log), --messages (e-mails), and
// --live (live messages). Each writes a JSON file and its pictures. `npm run pictures` draws the pictures again. Titles
// of tables have the targets. A missed target does not fail the run. An error does. The costs of calls are measured by
// test/contract/costs.long.test.ts.
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { queueVariable, workers } from "../../infra/deployables.ts";
import { openEngines } from "../../infra/local/engines.ts";
import { startSqs } from "../../infra/local/sqs.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { outDir } from "../support/bundles.ts";
import { activityFigures } from "./activities/figures.ts";
import { bundleFunctions, bundlePeers, type Size } from "./bundles.ts";
import { type Credentials, eventOf } from "./event.ts";
import { ceilings } from "./large/ceilings.ts";
import { largeCurves } from "./large/curves.ts";
import { liveFigures } from "./live/figures.ts";
import { memoryFigures } from "./memory.ts";
import { messageFigures } from "./messages/figures.ts";
import type { Name } from "./pictures/all.ts";
import { report } from "./report.ts";
import { startTls } from "./secure.ts";
import { sizeFigures } from "./sizes.ts";
import { instructionsOf, measureStarts, type Variant } from "./starts.ts";
import { userCalls } from "./users.ts";
import { measureWarm } from "./warm.ts";
import { largePermissions } from "./waves.ts";
import { webhookFigures } from "./webhooks/figures.ts";

const flag = { type: "boolean", default: false } as const;
const options = {
  quick: flag,
  large: flag,
  memory: flag,
  sizes: flag,
  webhooks: flag,
  activities: flag,
  messages: flag,
  live: flag,
};
const { quick, large, memory, cranfield, sizes, webhooks, activities, messages, live } = parseArgs({
  options: { ...options, cranfield: { type: "string" } },
}).values;
const memorySizes = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
const largeSizes = quick ? [100, 1_000, 10_000] : [100, 1_000, 10_000, 100_000];
const startRounds = quick ? 5 : 30;
const warmRounds = quick ? 2 : 5;
const userBlocks = quick ? 10 : 40;
const peerNames = ["ours", "plain", "express"];
const functionNames = ["users-get", "permissions-get", "documents-add"];

const dir = await mkdtemp(join(tmpdir(), "collaboration-bench-"));
const kinds = workers.flatMap((each) => (each.kind === "queue" ? [each.jobs] : []));
const sqs = await startSqs(kinds);
const engines = await openEngines(dir, { sqs });
// Without the proxy, which would add its time.
process.env.AWS_ENDPOINT_URL_DYNAMODB = engines.dynamodb;
for (const kind of kinds) process.env[queueVariable(kind)] = sqs.urlOf(kind);
process.env.EGRESS_ALLOW_CIDRS = "127.0.0.0/8";
process.env.WORKSPACE_CALLS_PER_SECOND = "1000000";
process.env.WEBHOOK_ENDPOINTS_MAX = "100";
// The queues share this process with the calls, so they can answer later than a call waits for them.
process.env.SLOWNESS = "60";
// No worker runs here, so a call that starts an extraction must not wait for it.
process.env.INGEST_BUDGET_SECONDS = "0";
const tls = await startTls(engines.dynamodb);
try {
  const bundles = live ? [] : await bundleFunctions();
  if (live) await keep("live", await liveFigures(join(dir, "live"), quick));
  else if (large) await keep("large", { ceilings: await ceilings(), curves: await largeCurves(largeSizes) });
  else if (memory) await keep("memory", await memoryFigures(memorySizes, cranfield, dir));
  else if (sizes)
    await keep("sizes", await sizeFigures((await peersOf(await newCaller())).ours, startRounds, environment()));
  else if (activities) await keep("activities", await activityFigures(quick));
  else if (messages) await keep("messages", await messageFigures(quick));
  else if (webhooks) await keep("webhooks", await webhookFigures(sqs, quick));
  else await keep("result", await all(bundles));
} finally {
  tls.close();
  await engines.close();
  await sqs.close();
  await rm(dir, { recursive: true, force: true });
}

async function keep(name: Name, figures: object): Promise<void> {
  await writeFile(new URL(`${name}.json`, import.meta.url), `${JSON.stringify(figures, null, 2)}\n`);
  // Imported only now: what the pictures need must not be in memory while anything is measured.
  const { writePictures } = await import("./pictures/all.ts");
  await writePictures(name);
}

async function all(sizes: Size[]) {
  const as = await newCaller();
  const result = {
    node: process.version,
    rounds: startRounds,
    sizes,
    ...(await starts(as)),
    warm: [await measureWarm(warmRounds, 20), await measureWarm(warmRounds, 200)],
    permissions: await largePermissions(as),
    users: await userCalls(await newCaller(), userBlocks),
  };
  report(result);
  return result;
}

async function newCaller(): Promise<Credentials> {
  const { apiKey } = await Workspace.create({ name: "bench" });
  return { apiKey, ...(await AuthToken.create({ workspace: apiKey })) };
}

/** `ours` and its peers, with the same request. */
async function peersOf(as: Credentials) {
  const peers = await bundlePeers(dir);
  const data = { userId: "u", name: "Ada", email: "ada@example.com" };
  const event = eventOf({ path: "/bench", method: "POST" }, as, data);
  const variantOf = (name: string): Variant => ({ name, bundle: peers.get(name)?.file ?? "", event });
  return { peers, ours: variantOf("ours"), all: ["empty", ...peerNames].map(variantOf) };
}

async function starts(as: Credentials) {
  const { peers, ours, all } = await peersOf(as);
  const work: Variant[] = [{ name: "node" }, ...all];
  // What V8's cache of compiled code would save. No deployment has one: V8 takes only a cache of the same build of Node,
  // which Lambda may replace at any time.
  const cached = { ...ours, name: "ours + cache", env: { NODE_COMPILE_CACHE: join(dir, "compile-cache") } };
  // Only their import is measured: their first request does other work than that of the peers.
  const functions = functionNames.map((name) => ({ name, bundle: join(outDir, name, "index.mjs") }));
  const env = environment();
  const variants = [...work, cached, ...functions];
  const starts = await measureStarts(variants, startRounds, env);
  const counted = !quick && spawnSync("valgrind", ["--version"]).status === 0;
  if (!counted) console.log(`Instructions are not counted: ${quick ? "--quick leaves them out" : "no valgrind here"}.`);
  const rows = [];
  for (const variant of variants) {
    const isPeer = work.includes(variant);
    const instructions = counted && isPeer ? await instructionsOf(variant, env) : undefined;
    const bytes = [...peers.values()].find(({ file }) => file === variant.bundle)?.bytes;
    rows.push({ name: variant.name, bytes, ...starts.get(variant.name), instructions });
  }
  return { starts: rows };
}

/** The environment of Lambda without AWS_LAMBDA_FUNCTION_NAME: with it, the read at import would count as import. */
function environment(): NodeJS.ProcessEnv {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const kept = ["PATH", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "TABLE_NAME"];
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    AWS_ENDPOINT_URL_DYNAMODB: tls.url,
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    // Printing Node's warning about the line above would count as the function's work.
    NODE_NO_WARNINGS: "1",
    BENCH_KEY: JSON.stringify(key),
  };
}

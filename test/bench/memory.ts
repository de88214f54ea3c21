// npm run bench -- --memory [--cranfield DIR]: the cost of a search of the workspace's memory, in a container without
// and with an index, and the quality of the results as nDCG@10 on the Cranfield collection in DIR. A search without an
// index reads and indexes all records. Its CPU time is compared with that of MiniSearch, which only builds the index.
import { randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import { putAll } from "../../lib/dynamodb/batch-write.ts";
import type { Judgment } from "../../lib/schema/memory.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import { judgmentEntity } from "../../lib/store/ai/judgment.ts";
import { judgmentMonthEntity } from "../../lib/store/ai/judgment-month.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { outDir } from "../support/bundles.ts";
import { bundleMemoryPeer } from "./bundles.ts";
import { ndcg, readCranfield } from "./cranfield.ts";
import { type Credentials, contextOf, eventOf } from "./event.ts";
import { type Measured, measure } from "./large/measure.ts";
import { median } from "./starts.ts";
import { printTable } from "./table.ts";

const organizationId = "memory";
const at = "2026-01-31T12:00:00.000Z";
/** Only the second half is measured, because the code is compiled by then. */
const warmCalls = 400;
/** Up to this many records, a cold search is measured several times, and compared with MiniSearch. */
const comparedMax = 10_000;
const coldRounds = 5;
const target = { path: "/v2/memory/search", method: "POST" } as const;

interface Container {
  search(query: string, limit?: number): Promise<string[]>;
}

/** Creates a workspace whose judgments have these texts, by record id. */
async function remembering(texts: ReadonlyMap<string, string>): Promise<Credentials> {
  const { apiKey } = await Workspace.create({ name: "memory" });
  const judgments = [...texts].map(([recordId, reasoning]): Judgment => {
    return { recordId, decision: "comment", reasoning, actionUser: { userId: "u" }, organizationId, createdAt: at };
  });
  const month = { organizationId, month: at.slice(0, 7), version: 1, since: at, size: texts.size };
  const ref = { workspace: apiKey, ...month };
  await putAll(judgments.map((each) => judgmentEntity.put({ ...ref, ...each, organizationId }, each)));
  await putAll([judgmentMonthEntity.put(ref, month)]);
  return { apiKey, ...(await AuthToken.create({ workspace: apiKey })) };
}

/** A copy of the module of its own. Its code is not compiled yet. */
const fresh = (file: string) => import(`${pathToFileURL(file)}?${randomUUID()}`);

/** Simulates a new container, which has no index. */
async function newContainer(as: Credentials): Promise<Container> {
  const { handler } = await fresh(`${outDir}/memory-search/index.mjs`);
  return {
    async search(query, limit = 10) {
      const { statusCode, body } = await handler(eventOf(target, as, { query, organizationId, limit }), contextOf());
      if (statusCode !== 200) throw new Error(`memory-search returned ${statusCode}: ${body}`);
      return JSON.parse(body).result.data.judgments.map(({ recordId }: Judgment) => recordId);
    },
  };
}

async function quality(folder: string): Promise<number> {
  const collection = readCranfield(folder);
  if (!collection) throw new Error(`The folder ${folder} does not have the files of Cranfield.`);
  const container = await newContainer(await remembering(collection.texts));
  let sum = 0;
  for (const { text, grades } of collection.questions) sum += ndcg(await container.search(text), grades);
  return sum / collection.questions.length;
}

/** 60 of 20,000 words. As in natural texts, the frequency of the n-th word is about 1/n. The same in every run. */
function textOf(index: number): string {
  let state = index + 1;
  const words = Array.from({ length: 60 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return `word${Math.floor(20_000 ** (state / 2 ** 32))}`;
  });
  return words.join(" ");
}

/** One search in each of several new containers, and as often the peer's index of the same texts. */
async function measureCold(as: Credentials, texts: ReadonlyMap<string, string>, question: string, peer: string) {
  const cold: Measured[] = [];
  const peerMs: number[] = [];
  const isCompared = texts.size <= comparedMax;
  for (let round = 0; round < (isCompared ? coldRounds : 1); round++) {
    const container = await newContainer(as);
    cold.push(await measure(() => container.search(question)));
    if (isCompared) peerMs.push(await cpuMsOfPeer(peer, texts));
  }
  return { cold, peerMs: median(peerMs) };
}

async function cpuMsOfPeer(peer: string, texts: ReadonlyMap<string, string>): Promise<number> {
  const { build } = await fresh(peer);
  const before = process.cpuUsage();
  build(texts);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function costOf(records: number, peer: string) {
  const texts = new Map(Array.from({ length: records }, (_, index) => [`${index}`, textOf(index)]));
  const as = await remembering(texts);
  const question = textOf(7).split(" ").slice(0, 8).join(" ");
  const { cold, peerMs } = await measureCold(as, texts, question, peer);
  const container = await newContainer(as);
  const half = async () => {
    for (let call = 0; call < warmCalls / 2; call++) await container.search(question);
  };
  await half();
  const warm = await measure(half);
  const coldMs = median(cold.map(({ cpuMs }) => cpuMs));
  return {
    records,
    "cold CPU ms": Math.round(coldMs),
    "MiniSearch CPU ms": Math.round(peerMs) || undefined,
    "÷ MiniSearch": peerMs ? (coldMs / peerMs).toFixed(2) : undefined,
    "cold RCU": cold[0]?.readUnits,
    "index MB": Math.round(median(cold.map(({ keptMb }) => keptMb))),
    "warm CPU ms": (warm.cpuMs / (warmCalls / 2)).toFixed(2),
    "warm trips": warm.roundTrips / (warmCalls / 2),
    "warm RCU": warm.readUnits / (warmCalls / 2),
  };
}

/** `dir`: for the peer's bundle. */
export async function memoryFigures(sizes: readonly number[], cranfield: string | undefined, dir: string) {
  const peer = await bundleMemoryPeer(dir);
  const costs = [];
  for (const size of sizes) costs.push(await costOf(size, peer));
  printTable("memory-search (target at 10,000: cold ≤ 0.5 × MiniSearch, warm < 5 ms; at 100,000: < 150 MB)", costs);
  const quality10 = cranfield === undefined ? undefined : await quality(cranfield);
  if (quality10 !== undefined) console.log(`\nnDCG@10 on Cranfield (target ≥ 0.395): ${quality10.toFixed(4)}`);
  return { costs, ndcg: quality10 };
}

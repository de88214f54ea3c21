// npm run bench -- --memory [--cranfield DIR]: what a question over the workspace's memory costs a container that has no
// index yet and one that has, and how well it finds: nDCG@10 on Cranfield, whose files the folder holds.
import { pathToFileURL } from "node:url";
import { putAll } from "../../lib/jobs/commit.ts";
import type { Judgment } from "../../lib/schema/memory.ts";
import * as AuthToken from "../../lib/store/auth-token.ts";
import { memoryKeys } from "../../lib/store/memory-keys.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { outDir } from "../support/bundles.ts";
import { ndcg, readCranfield } from "./cranfield.ts";
import { type Credentials, contextOf, eventOf } from "./event.ts";
import { measure } from "./large/measure.ts";
import { printTable } from "./table.ts";

const organizationId = "memory";
const at = "2026-01-31T12:00:00.000Z";
/** The second half of them counts: by then what a call runs through is compiled. */
const warmCalls = 400;
const target = { path: "/v2/memory/search", method: "POST" } as const;

interface Container {
  search(query: string, limit?: number): Promise<string[]>;
}

/** A workspace that remembers these texts, by record id. */
async function remembering(texts: ReadonlyMap<string, string>): Promise<Credentials> {
  const { apiKey } = await Workspace.create({ name: "memory" });
  const judgments = [...texts].map(([recordId, reasoning]): Judgment => {
    return { recordId, decision: "comment", reasoning, actionUser: { userId: "u" }, organizationId, createdAt: at };
  });
  await putAll(
    judgments.map((each) => ({ ...memoryKeys.judgment(apiKey, organizationId, at, each.recordId), ...each })),
  );
  const month = { organizationId, month: at.slice(0, 7), version: 1, size: texts.size };
  await putAll([{ ...memoryKeys.month(apiKey, organizationId, month.month), ...month }]);
  return { apiKey, ...(await AuthToken.create(apiKey)) };
}

/** A container of its own, which has read nothing yet. */
async function newContainer(as: Credentials): Promise<Container> {
  const { handler } = await import(`${pathToFileURL(`${outDir}/memory-search/index.mjs`)}?${as.apiKey}`);
  return {
    async search(query, limit = 10) {
      const { statusCode, body } = await handler(eventOf(target, as, { query, organizationId, limit }), contextOf());
      if (statusCode !== 200) throw new Error(`memory-search answered ${statusCode}: ${body}`);
      return JSON.parse(body).result.data.judgments.map(({ recordId }: Judgment) => recordId);
    },
  };
}

async function quality(folder: string): Promise<number> {
  const collection = readCranfield(folder);
  if (!collection) throw new Error(`${folder} does not hold Cranfield's files.`);
  const container = await newContainer(await remembering(collection.texts));
  let sum = 0;
  for (const { text, grades } of collection.questions) sum += ndcg(await container.search(text), grades);
  return sum / collection.questions.length;
}

/** 60 words of 20,000, the n-th as frequent as 1/n: as texts have them. The same at every run. */
function textOf(index: number): string {
  let state = index + 1;
  const words = Array.from({ length: 60 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return `word${Math.floor(20_000 ** (state / 2 ** 32))}`;
  });
  return words.join(" ");
}

async function costOf(records: number) {
  const texts = new Map(Array.from({ length: records }, (_, index) => [`${index}`, textOf(index)]));
  const container = await newContainer(await remembering(texts));
  texts.clear();
  const question = textOf(7).split(" ").slice(0, 8).join(" ");
  const cold = await measure(() => container.search(question));
  const half = async () => {
    for (let call = 0; call < warmCalls / 2; call++) await container.search(question);
  };
  await half();
  const warm = await measure(half);
  return {
    records,
    "cold CPU ms": Math.round(cold.cpuMs),
    "cold RCU": cold.readUnits,
    "index MB": Math.round(cold.keptMb),
    "warm CPU ms": (warm.cpuMs / (warmCalls / 2)).toFixed(2),
    "warm trips": warm.roundTrips / (warmCalls / 2),
    "warm RCU": warm.readUnits / (warmCalls / 2),
  };
}

export async function memoryFigures(sizes: readonly number[], cranfield: string | undefined) {
  const costs = [];
  for (const size of sizes) costs.push(await costOf(size));
  printTable("memory-search (target at 10,000: cold < 1,000 ms, warm < 5 ms; at 100,000: < 150 MB)", costs);
  const quality10 = cranfield === undefined ? undefined : await quality(cranfield);
  if (quality10 !== undefined) console.log(`\nnDCG@10 on Cranfield (target ≥ 0.395): ${quality10.toFixed(4)}`);
  return { costs, ndcg: quality10 };
}

// npm run bench -- --memory [--cranfield DIR]: the cost of a search of the workspace's memory, in a container without
// and with an index, and the quality of the results as nDCG@10 on the Cranfield collection in DIR.
import { pathToFileURL } from "node:url";
import { putAll } from "../../lib/dynamodb/batch-write.ts";
import type { Judgment } from "../../lib/schema/memory.ts";
import * as AuthToken from "../../lib/store/auth-token.ts";
import { judgmentEntity } from "../../lib/store/judgment.ts";
import { judgmentMonthEntity } from "../../lib/store/judgment-month.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { outDir } from "../support/bundles.ts";
import { ndcg, readCranfield } from "./cranfield.ts";
import { type Credentials, contextOf, eventOf } from "./event.ts";
import { measure } from "./large/measure.ts";
import { printTable } from "./table.ts";

const organizationId = "memory";
const at = "2026-01-31T12:00:00.000Z";
/** Only the second half is measured, because the code is compiled by then. */
const warmCalls = 400;
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
  const month = { organizationId, month: at.slice(0, 7), version: 1, size: texts.size };
  const ref = { workspace: apiKey, ...month };
  await putAll(judgments.map((each) => judgmentEntity.put({ ...ref, ...each, organizationId }, each)));
  await putAll([judgmentMonthEntity.put(ref, month)]);
  return { apiKey, ...(await AuthToken.create({ workspace: apiKey })) };
}

/** Simulates a new container, which has no index. */
async function newContainer(as: Credentials): Promise<Container> {
  const { handler } = await import(`${pathToFileURL(`${outDir}/memory-search/index.mjs`)}?${as.apiKey}`);
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

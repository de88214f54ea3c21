// From a question and its scope to the records that bear on it: judgments, and where the question is of the whole
// workspace, its knowledge. Knowledge belongs to no organization, so a question that names one is not answered from it.

import * as Table from "../dynamodb/table.ts";
import type { Judgment } from "../schema/memory.ts";
import * as Judgments from "../store/judgment.ts";
import * as Knowledge from "../store/knowledge.ts";
import { memoryKeys } from "../store/memory-keys.ts";
import { indexOf } from "./index-cache.ts";
import { lexical } from "./lexical.ts";
import { type Filter, fused, type Hit } from "./retriever.ts";
import { filterOf, isRecent, overlaps, type Scope, spanOf, takesKnowledge } from "./scope.ts";
import type { Segment } from "./segment.ts";

/** Records that one question looks at: the newest months first. What lies beyond is not searched. */
const recordsMax = 100_000;
/** The same of parts of knowledge, the newest sources first. */
const passagesMax = 40_000;

/** A part of a knowledge source. */
export interface Passage {
  /** Of the source and the part. */
  recordId: string;
  fileName?: string | undefined;
  text: string;
  createdAt: string;
}

export type Found = {
  /** Share of the question that its words cover, 0 to 1; 1 where recency decided. */
  coverage: number;
} & ({ judgment: Judgment; passage?: undefined } | { passage: Passage; judgment?: undefined });

/** The judgments that answer best, or the newest ones where the scope asks for recency. At most `limit`. */
export async function searchJudgments(workspace: string, question: string, scope: Scope, limit: number) {
  return (await find(workspace, question, scope, limit, [])).flatMap(({ judgment }) => judgment ?? []);
}

/** The same, with knowledge where the scope is the whole workspace and words decide. */
export async function search(workspace: string, question: string, scope: Scope, limit: number): Promise<Found[]> {
  const sources = takesKnowledge(scope) ? await storedSources(workspace) : [];
  return find(workspace, question, scope, limit, sources);
}

async function find(
  workspace: string,
  question: string,
  scope: Scope,
  limit: number,
  sources: readonly Knowledge.KnowledgeSource[],
): Promise<Found[]> {
  const span = spanOf(scope);
  const months = bounded(
    (await Judgments.months(workspace, scope.organizationId)).filter(({ month }) => overlaps(month, span)),
  );
  const index = await indexOf(workspace, months, sources);
  const inScope = filterOf(scope, span);
  const filter: Filter = (fields) => inScope(fields) && !index.isStale(fields);
  const hits = isRecent(scope)
    ? newest(index.segments, filter, limit)
    : fused([lexical(index.segments).retrieve(question, filter, limit)], limit);
  const items = await Table.getMany<Table.Item>(hits.map(({ fields: { pk, sk } }) => ({ pk, sk })));
  const sourceOf = new Map(sources.map((source) => [memoryKeys.chunks(workspace, source.uid), source]));
  return hits.flatMap(({ coverage, fields: { pk } }, position): Found[] => {
    const item = items[position];
    const source = sourceOf.get(pk);
    if (!item) return [];
    return [
      source
        ? { coverage, passage: Knowledge.passageOf(source, item) }
        : { coverage, judgment: Judgments.judgmentOf(item) },
    ];
  });
}

async function storedSources(workspace: string): Promise<Knowledge.KnowledgeSource[]> {
  const sources = (await Array.fromAsync(Knowledge.listed(workspace))).flat();
  const newestFirst = sources.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  return within(newestFirst, passagesMax, ({ chunkCount = 0 }) => chunkCount);
}

function bounded(months: readonly Judgments.Month[]): Judgments.Month[] {
  const sorted = months.toSorted((one, other) => (one.month < other.month ? 1 : -1));
  return within(sorted, recordsMax, ({ size }) => size);
}

/** The first, and those after it that are still within `max` together. */
function within<T>(items: readonly T[], max: number, sizeOf: (item: T) => number): T[] {
  let sum = 0;
  return items.filter((item, index) => {
    sum += sizeOf(item);
    return index === 0 || sum <= max;
  });
}

function newest(segments: readonly Segment[], filter: Filter, limit: number): Hit[] {
  return segments
    .flatMap((segment) => segment.fields.filter(filter))
    .toSorted((one, other) => other.at - one.at)
    .slice(0, limit)
    .map((fields) => ({ fields, score: fields.at, coverage: 1 }));
}

/** Below this share of the question no record says anything of it. */
const coverageMin = 0.3;

/** Whether anything of what was found bears on the question. */
export const isRelevant = (found: readonly Found[]): boolean => found.some(({ coverage }) => coverage >= coverageMin);

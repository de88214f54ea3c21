// Finds the records that are relevant to a question: judgments, and knowledge where the scope is the whole workspace.
// Knowledge belongs to no organization, so a question about one organization ignores it.
import * as Table from "../dynamodb/table.ts";
import type { Judgment } from "../schema/memory.ts";
import { judgmentEntity } from "../store/judgment.ts";
import * as JudgmentMonth from "../store/judgment-month.ts";
import * as Knowledge from "../store/knowledge.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { indexOf } from "./index-cache.ts";
import { lexical } from "./lexical.ts";
import type { Filter, Hit } from "./retriever.ts";
import { filterOf, includesKnowledge, isRecent, overlaps, type Scope, spanOf } from "./scope.ts";
import type { Segment } from "./segment.ts";

/** Judgments that one question searches: the newest months first, older ones are ignored. */
const recordsMax = 100_000;
/** The same for chunks of knowledge, the newest sources first. */
const passagesMax = 40_000;

/** A chunk of a knowledge source. */
export interface Passage {
  /** The source's id and the chunk's index. */
  recordId: string;
  fileName?: string | undefined;
  text: string;
  createdAt: string;
}

export type Found = {
  /** Share of the question that its words cover, 0 to 1; 1 where records are ordered by time. */
  coverage: number;
} & ({ judgment: Judgment; passage?: undefined } | { passage: Passage; judgment?: undefined });

interface Question {
  question: string;
  scope: Scope;
  /** Records to return at most. */
  limit: number;
}

/** The most relevant judgments, or the newest ones where the scope asks for recency. */
export async function searchJudgments(ref: WorkspaceRef, question: Question): Promise<Judgment[]> {
  return (await find(ref, question, [])).flatMap(({ judgment }) => judgment ?? []);
}

/** The same, with knowledge where the scope includes it. */
export async function search(ref: WorkspaceRef, question: Question): Promise<Found[]> {
  return find(ref, question, includesKnowledge(question.scope) ? await storedSources(ref) : []);
}

async function find(
  { workspace }: WorkspaceRef,
  { question, scope, limit }: Question,
  sources: readonly Knowledge.KnowledgeSource[],
): Promise<Found[]> {
  const span = spanOf(scope);
  const all = await JudgmentMonth.list({ workspace }, scope.organizationId);
  const index = await indexOf({ workspace }, bounded(all.filter(({ month }) => overlaps(month, span))), sources);
  const inScope = filterOf(scope, span);
  const filter: Filter = (fields) => inScope(fields) && !index.isStale(fields);
  const hits = isRecent(scope)
    ? newest(index.segments, filter, limit)
    : lexical(index.segments).retrieve(question, filter, limit);
  const items = await Table.getMany<object>(hits.map(({ fields: { pk, sk } }) => ({ pk, sk })));
  const sourceOf = new Map(
    sources.map((source) => [Knowledge.chunkEntity.partition({ workspace, ...source }), source]),
  );
  return hits.flatMap(({ coverage, fields: { pk } }, position): Found[] => {
    const item = items[position];
    const source = sourceOf.get(pk);
    if (!item) return [];
    if (source) return [{ coverage, passage: Knowledge.passageOf(source, item) }];
    return [{ coverage, judgment: judgmentEntity.attributesOf(item) }];
  });
}

async function storedSources(ref: WorkspaceRef): Promise<Knowledge.KnowledgeSource[]> {
  const sources = (await Array.fromAsync(Knowledge.listed(ref))).flat();
  const newestFirst = sources.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  return within(newestFirst, passagesMax, ({ chunkCount = 0 }) => chunkCount);
}

function bounded(months: readonly JudgmentMonth.JudgmentMonth[]): JudgmentMonth.JudgmentMonth[] {
  const sorted = months.toSorted((one, other) => (one.month < other.month ? 1 : -1));
  return within(sorted, recordsMax, ({ size }) => size);
}

/** The first, and those after it that fit within `max` together. */
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

/** Records that cover a smaller share of the question are not about it. */
const coverageMin = 0.3;

/** Whether any of the records is about the question. */
export const isRelevant = (found: readonly Found[]): boolean => found.some(({ coverage }) => coverage >= coverageMin);

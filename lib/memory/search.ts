// Finds the records that are relevant to a question: judgments, and knowledge if the scope includes it.
import * as Table from "../dynamodb/table.ts";
import type { Judgment } from "../schema/memory.ts";
import { judgmentEntity } from "../store/judgment.ts";
import * as JudgmentMonth from "../store/judgment-month.ts";
import * as Knowledge from "../store/knowledge.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { indexOf } from "./index-cache.ts";
import { lexical } from "./lexical.ts";
import { newest, retrieveFor } from "./retrieve.ts";
import type { Filter } from "./retriever.ts";
import { filterOf, includesKnowledge, overlaps, type Scope, spanOf, wantsNewest } from "./scope.ts";

/** Maximum judgments that one question searches. Older months above it are ignored. */
const recordsMax = 100_000;
/** Maximum chunks of knowledge that one question searches. Older sources above it are ignored. */
const passagesMax = 40_000;

/** A chunk of a knowledge source. */
export interface Passage {
  /** Consists of the source's id and the chunk's index. */
  recordId: string;
  fileName?: string | undefined;
  text: string;
  createdAt: string;
}

export type Found = {
  /** See `Hit`. It is 1 for each record if the scope wants the newest records. */
  coverage: number;
} & ({ judgment: Judgment; passage?: undefined } | { passage: Passage; judgment?: undefined });

interface Question {
  question: string;
  scope: Scope;
  /** Maximum records to return. */
  limit: number;
}

/** The most relevant judgments for a query of words, or the newest ones if the scope has `recencyDays`. */
export async function searchJudgments(ref: WorkspaceRef, question: Question): Promise<Judgment[]> {
  return (await find(ref, question, [], "words")).flatMap(({ judgment }) => judgment ?? []);
}

/** The records for a question, which can select by decision and time (see `retrieveFor`), with knowledge in scope. */
export async function search(ref: WorkspaceRef, question: Question): Promise<Found[]> {
  return find(ref, question, includesKnowledge(question.scope) ? await storedSources(ref) : [], "question");
}

async function find(
  { workspace }: WorkspaceRef,
  { question, scope, limit }: Question,
  sources: readonly Knowledge.KnowledgeSource[],
  kind: "words" | "question",
): Promise<Found[]> {
  const span = spanOf(scope);
  const all = await JudgmentMonth.list({ workspace }, scope.organizationId);
  const index = await indexOf({ workspace }, bounded(all.filter(({ month }) => overlaps(month, span))), sources);
  const inScope = filterOf(scope, span);
  const filter: Filter = (fields) => inScope(fields) && !index.isStale(fields);
  const { segments } = index;
  const hits = wantsNewest(scope)
    ? newest(segments, filter, limit)
    : kind === "question"
      ? retrieveFor(segments, { question, filter, limit, now: Date.now() })
      : lexical(segments).retrieve(question, filter, limit);
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
  return prefixWithin(newestFirst, passagesMax, ({ chunkCount = 0 }) => chunkCount);
}

function bounded(months: readonly JudgmentMonth.JudgmentMonth[]): JudgmentMonth.JudgmentMonth[] {
  const sorted = months.toSorted((one, other) => (one.month < other.month ? 1 : -1));
  return prefixWithin(sorted, recordsMax, ({ size }) => size);
}

/** The first items whose sizes add up to at most `max`, and at least one item. */
function prefixWithin<T>(items: readonly T[], max: number, sizeOf: (item: T) => number): T[] {
  let sum = 0;
  return items.filter((item, index) => {
    sum += sizeOf(item);
    return index === 0 || sum <= max;
  });
}

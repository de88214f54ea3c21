// Finds the records that are relevant to a question: judgments, and knowledge if the scope includes it.
import * as Table from "../dynamodb/table.ts";
import type { Judgment } from "../schema/memory.ts";
import { getByRecordIds, judgmentEntity, monthOf } from "../store/ai/judgment.ts";
import * as JudgmentMonth from "../store/ai/judgment-month.ts";
import type { KnowledgeSource } from "../store/ai/knowledge.ts";
import * as Knowledge from "../store/ai/knowledge.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { Fields, Filter } from "./entry.ts";
import { indexOf } from "./index-cache.ts";
import { partsOf } from "./index-parts.ts";
import { Lexical } from "./lexical.ts";
import { newest, retrieveFor } from "./retrieve.ts";
import { filterOf, includesKnowledge, overlaps, type Scope, type Span, spanOf, wantsNewest } from "./scope.ts";
import { budgetBefore, monthUnitsMax, passagesMax, recordsMax, sourceUnitsMax } from "./search-limits.ts";

/** A chunk of a knowledge source. */
interface Passage {
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

/** `isPartial`: some records in scope were not searched (see `search-limits.ts`). */
interface Searched<T> {
  found: T[];
  isPartial: boolean;
}

/** The most relevant judgments for a query of words, or the newest ones if the scope has `recencyDays`. */
export async function searchJudgments(ref: WorkspaceRef, question: Question): Promise<Searched<Judgment>> {
  const { found, isPartial } = await find(ref, question, { sources: [], isPartial: false }, "words");
  return { found: found.flatMap(({ judgment }) => judgment ?? []), isPartial };
}

/** The records for a question, which can select by decision and time (see `retrieveFor`), with knowledge in scope. */
export async function search(ref: WorkspaceRef, question: Question): Promise<Searched<Found>> {
  const { scope } = question;
  const stored = includesKnowledge(scope) ? await storedSources(ref, scope) : { sources: [], isPartial: false };
  return find(ref, question, stored, "question");
}

interface Sources {
  sources: readonly Knowledge.KnowledgeSource[];
  isPartial: boolean;
}

async function find(
  { workspace }: WorkspaceRef,
  { question, scope, limit }: Question,
  { sources, isPartial }: Sources,
  kind: "words" | "question",
): Promise<Searched<Found>> {
  const span = spanOf(scope);
  const isExcluded = await excludedJudgments({ workspace }, scope.filters?.excludeDocumentIds);
  const listed = await storedMonths({ workspace, ...scope }, span);
  const index = await indexOf(partsOf({ workspace }, listed.months, sources), budgetBefore(limit));
  const inScope = filterOf(scope, span);
  const filter: Filter = (fields) => inScope(fields) && !isExcluded(fields) && !index.isStale(fields);
  const { segments } = index;
  const hits = wantsNewest(scope)
    ? newest(segments, filter, limit)
    : kind === "question"
      ? retrieveFor(segments, { question, filter, limit, now: Date.now() })
      : new Lexical(segments).retrieve(question, filter, limit);
  const items = await Table.getMany<object>(hits.map(({ fields: { pk, sk } }) => ({ pk, sk })));
  const sourceOf = new Map(
    sources.map((source) => [Knowledge.chunkEntity.partition({ workspace, ...source }), source]),
  );
  const hitSources = new Set(hits.flatMap(({ fields: { pk } }) => sourceOf.get(pk) ?? []));
  const findable = new Set(await Knowledge.findable({ workspace }, [...hitSources]));
  const found = hits.flatMap(({ coverage, fields: { pk } }, position): Found[] => {
    const item = items[position];
    const source = sourceOf.get(pk);
    if (!item) return [];
    if (source) return findable.has(source) ? [{ coverage, passage: Knowledge.passageOf(source, item) }] : [];
    return [{ coverage, judgment: judgmentEntity.attributesOf(item) }];
  });
  return { found, isPartial: isPartial || listed.isPartial || index.isPartial };
}

async function storedSources(ref: WorkspaceRef, { organizationId, filters }: Scope): Promise<Sources> {
  const { sources: all, isPartial } = await Knowledge.listed(ref, sourceUnitsMax);
  const inScope = all.filter((each) => organizationId === undefined || each.organizationId === organizationId);
  const sources = withoutExcluded(inScope, filters?.excludeDocumentIds);
  const newestFirst = sources.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  const fitting = prefixWithin(newestFirst, passagesMax, ({ chunkCount = 0 }) => chunkCount);
  return { sources: fitting, isPartial: isPartial || fitting.length < sources.length };
}

/** The months of the span, the newest first. */
async function storedMonths({ workspace, organizationId }: WorkspaceRef & Scope, span: Span) {
  const { months, isPartial } = await JudgmentMonth.list({ workspace }, organizationId, monthUnitsMax);
  const wanted = months.filter(({ month }) => overlaps(month, span));
  const newestFirst = wanted.toSorted((one, other) => (one.month < other.month ? 1 : -1));
  const fitting = prefixWithin(newestFirst, recordsMax, ({ size }) => size);
  return { months: fitting, isPartial: isPartial || fitting.length < wanted.length };
}

/** The first items whose sizes add up to at most `max`, and at least one item. */
function prefixWithin<T>(items: readonly T[], max: number, sizeOf: (item: T) => number): T[] {
  let sum = 0;
  return items.filter((item, index) => {
    sum += sizeOf(item);
    return index === 0 || sum <= max;
  });
}

// What a question excludes. Besides documents, it can name records of earlier replies, which stand for their documents.

/** The filter of the judgments that are excluded. A judgment without a document stands for itself. */
export async function excludedJudgments(ref: WorkspaceRef, ids: readonly string[] = []): Promise<Filter> {
  const documentIds = new Set(ids);
  const judgments = await getByRecordIds(ref, ids);
  const named = judgments.flatMap((each) => (each ? sameDocumentAs(ref, each) : []));
  return (fields) =>
    (fields.documentId !== undefined && documentIds.has(fields.documentId)) || named.some((isSame) => isSame(fields));
}

/** Organizations can have documents with the same id. */
function sameDocumentAs({ workspace }: WorkspaceRef, judgment: Judgment): Filter {
  const { organizationId = "", documentId, createdAt } = judgment;
  const ref = { ...judgment, workspace, organizationId, month: monthOf(createdAt) };
  if (documentId === undefined) {
    const { pk, sk } = judgmentEntity.key(ref);
    return (fields) => fields.sk === sk && fields.pk === pk;
  }
  const organization = judgmentEntity.partition({ ...ref, month: "" });
  return (fields: Fields) => fields.documentId === documentId && fields.pk.startsWith(organization);
}

/** The sources without those that the ids name, or a passage of theirs. */
export function withoutExcluded(sources: readonly KnowledgeSource[], ids: readonly string[] = []): KnowledgeSource[] {
  const excluded = new Set(ids.flatMap((id) => [id, id.replace(/\.\d+$/, "")]));
  return sources.filter(({ sourceId }) => !excluded.has(sourceId));
}

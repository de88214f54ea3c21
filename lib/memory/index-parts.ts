// The partitions of records that have their own cached index: a month of judgments, or a knowledge source.
import type { Item } from "../dynamodb/key.ts";
import type { Judgment } from "../schema/memory.ts";
import { judgmentEntity } from "../store/ai/judgment.ts";
import * as JudgmentMonth from "../store/ai/judgment-month.ts";
import { type Chunk, chunkEntity, type KnowledgeSource } from "../store/ai/knowledge.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { Entry } from "./entry.ts";

export interface Part {
  pk: string;
  /** Its name in the cache. A partition that was deleted and filled again has another name. */
  name: string;
  versions: JudgmentMonth.Versions;
  /** The attributes that `entryOf` needs. */
  attributes: readonly string[];
  entryOf(item: Item): Entry;
  /** The sort keys of the items that changed since these versions; undefined: unknown, so all must be read again. */
  changedSince(known: JudgmentMonth.Versions): Promise<string[] | undefined>;
}

/** All parts, the newest first. */
export function partsOf(
  { workspace }: WorkspaceRef,
  months: readonly JudgmentMonth.JudgmentMonth[],
  sources: readonly KnowledgeSource[],
): Part[] {
  const parts = [
    ...months.map((each) => ({ time: `${each.month}-31`, part: monthPart({ workspace, ...each }) })),
    ...sources.map((each) => ({ time: each.createdAt, part: sourcePart({ workspace, ...each }) })),
  ];
  return parts.toSorted((one, other) => (one.time < other.time ? 1 : -1)).map(({ part }) => part);
}

const judgmentAttributes = [
  "sk",
  "createdAt",
  "decision",
  "documentId",
  "annotationId",
  "reasoning",
  "actionUser",
] as const satisfies readonly ("sk" | keyof Judgment)[];

type IndexedJudgment = Pick<Judgment, Exclude<(typeof judgmentAttributes)[number], "sk">>;

function monthPart(month: WorkspaceRef & JudgmentMonth.JudgmentMonth): Part {
  const pk = judgmentEntity.partition(month);
  const { versions, since } = month;
  return {
    pk,
    name: `${pk} ${since}`,
    versions,
    attributes: judgmentAttributes,
    entryOf(item) {
      const { createdAt, decision, documentId, annotationId, reasoning, actionUser } = item as Item & IndexedJudgment;
      const text = `${decision.replace("_", " ")} ${actionUser.name ?? ""} ${reasoning}`;
      return { pk, sk: item.sk, at: Date.parse(createdAt), decision, documentId, annotationId, text };
    },
    changedSince: (known) => JudgmentMonth.changedSince(month, known, versions),
  };
}

/** A source's chunks never change: a source that is stored again gets a new internal id. */
function sourcePart(source: WorkspaceRef & KnowledgeSource): Part {
  const pk = chunkEntity.partition(source);
  const at = Date.parse(source.createdAt);
  return {
    pk,
    name: pk,
    versions: new Map(),
    attributes: ["sk", "text"],
    entryOf: (item) => ({ pk, sk: item.sk, at, text: (item as Item & Pick<Chunk, "text">).text }),
    changedSince: async () => [],
  };
}

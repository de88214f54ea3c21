// From a question and its scope to the records that bear on it.
import type { Judgment } from "../schema/memory.ts";
import * as Judgments from "../store/judgment.ts";
import { indexOf } from "./index-cache.ts";
import { lexical } from "./lexical.ts";
import { type Filter, fused, type Hit } from "./retriever.ts";
import { filterOf, isRecent, overlaps, type Scope, spanOf } from "./scope.ts";
import type { Segment } from "./segment.ts";

/** Records that one question looks at: the newest months first. What lies beyond is not searched. */
const recordsMax = 120_000;

export interface Found {
  judgment: Judgment;
  /** Share of the question that its words cover, 0 to 1; 1 where recency decided. */
  coverage: number;
}

/** The records that answer best, or the newest ones where the scope asks for recency. At most `limit`. */
export async function search(workspace: string, question: string, scope: Scope, limit: number): Promise<Found[]> {
  const span = spanOf(scope);
  const months = bounded(
    (await Judgments.months(workspace, scope.organizationId)).filter(({ month }) => overlaps(month, span)),
  );
  const index = await indexOf(workspace, months);
  const inScope = filterOf(scope, span);
  const filter: Filter = (fields) => inScope(fields) && !index.isStale(fields);
  const hits = isRecent(scope)
    ? newest(index.segments, filter, limit)
    : fused([lexical(index.segments).retrieve(question, filter, limit)], limit);
  const records = await Judgments.getMany(hits.map(({ fields: { pk, sk } }) => ({ pk, sk })));
  return hits.flatMap(({ coverage }, position) => {
    const judgment = records[position];
    return judgment ? [{ judgment, coverage }] : [];
  });
}

function bounded(months: readonly Judgments.Month[]): Judgments.Month[] {
  let sum = 0;
  const sorted = months.toSorted((one, other) => (one.month < other.month ? 1 : -1));
  return sorted.filter(({ size }, index) => {
    sum += size;
    return index === 0 || sum <= recordsMax;
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

// The records that a question may see (DECISIONS.md#memory-scope). The caller states the scope. The service never
// widens it.
import type { Filters } from "../schema/memory.ts";
import { timeOf } from "../schema/moment.ts";
import type { Filter } from "./entry.ts";

const dayMs = 24 * 3_600_000;

export interface Scope {
  /** Absent: the whole workspace. */
  organizationId?: string | undefined;
  /** Ignored without `organizationId`. */
  documentId?: string | undefined;
  filters?: Filters | undefined;
  /** The last N complete UTC days. Replaces the filters' date range. Ignored if the filters name an annotation. */
  recencyDays?: number | undefined;
}

/** ms since the epoch; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** Whether the newest records are wanted, instead of the most relevant. */
export const wantsNewest = ({ recencyDays, filters }: Scope): boolean =>
  recencyDays !== undefined && filters?.annotationId === undefined;

/** Whether knowledge is in scope. It has no document or decision, and recency applies to judgments only. */
export const includesKnowledge = (scope: Scope): boolean =>
  documentOf(scope) === undefined && scope.filters?.decision === undefined && !wantsNewest(scope);

const documentOf = ({ organizationId, documentId }: Scope) => (organizationId === undefined ? undefined : documentId);

export function spanOf(scope: Scope, now = Date.now()): Span {
  if (wantsNewest(scope)) {
    const end = Math.floor(now / dayMs) * dayMs;
    return { start: end - Number(scope.recencyDays) * dayMs, end };
  }
  const { start, end } = scope.filters?.dateRange ?? {};
  return {
    start: start === undefined ? Number.NEGATIVE_INFINITY : timeOf(start),
    end: end === undefined ? Number.POSITIVE_INFINITY : timeOf(end),
  };
}

/** The filter of the records in scope, except `excludeDocumentIds` (`excluded.ts`). */
export function filterOf(scope: Scope, { start, end }: Span): Filter {
  const { filters = {} } = scope;
  const decisions = filters.decision === undefined ? undefined : new Set([filters.decision].flat());
  const onlyDocument = documentOf(scope);
  return (fields) =>
    fields.at >= start &&
    fields.at < end &&
    (decisions === undefined || decisions.has(fields.decision as never)) &&
    (onlyDocument === undefined || fields.documentId === onlyDocument) &&
    (filters.annotationId === undefined || fields.annotationId === filters.annotationId);
}

/** Whether a month (yyyy-mm) can have records of the span. */
export function overlaps(month: string, { start, end }: Span): boolean {
  const first = Date.parse(`${month}-01T00:00:00.000Z`);
  const [year = 0, number = 0] = month.split("-").map(Number);
  return first < end && Date.UTC(year, number, 1) > start;
}

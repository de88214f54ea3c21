import type { Range as TableRange } from "../dynamodb/table.ts";

/** Items by the name of their entity. */
export type Counts = Record<string, number>;

/** What an erasure has done so far. */
export interface Found {
  removed: Counts;
  redacted: Counts;
}

/** One erasure, for the steps of a run. */
export interface Context {
  workspace: string;
  userIds: readonly string[];
  users: ReadonlySet<string>;
  /** Undefined: all organizations. */
  organizationId: string | undefined;
  /** When the call was accepted, ISO 8601. */
  acceptedAt: string;
  found: Found;
  /** Organizations that this run has completed. */
  organizationsDone: number;
}

export type Range = Pick<TableRange, "pk" | "beginsWith" | "above" | "after" | "limit">;

/**
 * What a pass must still do. A range is read in pages of `limit` items. `lives`: ends the users' lives in an organization and deletes
 * their own data, from the user with the index `from` on. `end`: the organization is completed. `outbox`: events that
 * are not deliveries yet.
 */
export type Step =
  | (Range & { lives?: undefined; end?: undefined; outbox?: undefined })
  | { lives: string; from: number; end?: undefined; outbox?: undefined; pk?: undefined }
  | { end: true; lives?: undefined; outbox?: undefined; pk?: undefined }
  | { outbox: true; lives?: undefined; end?: undefined; pk?: undefined };

/** Counts items of any entities. */
export function count(counts: Counts, items: readonly object[]): void {
  for (const item of items as readonly { entity?: unknown }[]) {
    const name = String(item.entity);
    counts[name] = (counts[name] ?? 0) + 1;
  }
}

/** How many items an erasure has removed or redacted. */
export function countOf({ removed, redacted }: Found): number {
  return [...Object.values(removed), ...Object.values(redacted)].reduce((sum, each) => sum + each, 0);
}

import type { Range as TableRange } from "../dynamodb/table.ts";

/** One erasure, for the steps of a run. */
export interface Context {
  workspace: string;
  userIds: readonly string[];
  users: ReadonlySet<string>;
  /** Undefined: all organizations. */
  organizationId: string | undefined;
  /** When the call was accepted, ISO 8601. */
  acceptedAt: string;
  jobId: string;
  /** An item has changed since it was read, or could not be written yet. So another pass must follow. */
  isIncomplete: boolean;
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

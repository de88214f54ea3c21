// How long data is kept after it has ended (DECISIONS.md#retention). DynamoDB deletes an item some time after its
// `ttl`, so the attribute only cleans up: every read compares the time itself. Data without an end must not have a
// `ttl`.
import { config } from "./config.ts";

/** Days after the end. */
export const keptDays = {
  idempotentReply: 1,
  doneJob: 7,
  failedJob: 90,
  expiredGrant: 30,
  delivery: 30,
  memoryChange: 7,
  message: 30,
  ingestRun: 30,
  receipt: 365,
  /** Longer than a user token is valid. */
  erasedUser: 3,
  revocation: 3,
  /** From the day that it counts. */
  messageCount: 2,
};

/**
 * The `ttl` of all items of a notification that is added at this time (ISO 8601). The end is decided then: a later change
 * of the setting does not move it.
 */
export const notificationTtl = (at: string): number =>
  Math.floor(Date.parse(at) / 1_000) + config.notificationRetentionDays() * 24 * 3_600;

/** Whether the time of an item is over. Without a `ttl`, it has no end. */
export const hasEnded = ({ ttl }: { ttl?: number | undefined }): boolean =>
  ttl !== undefined && ttl * 1_000 <= Date.now();

/** The `ttl` of data that ends at `endSeconds`; both are Unix time in seconds. */
export function ttlAfter(what: keyof typeof keptDays, endSeconds = Math.floor(Date.now() / 1_000)): number {
  return endSeconds + keptDays[what] * 24 * 3_600;
}

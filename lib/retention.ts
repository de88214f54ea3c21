// How long data is kept after it has ended (DECISIONS.md#retention). DynamoDB deletes an item some time after its
// `ttl`, so the attribute only cleans up: every read compares the time itself. Data without an end must not have a
// `ttl`.

/** Days after the end. */
export const keptDays = {
  idempotentReply: 1,
  doneJob: 7,
  failedJob: 90,
  expiredGrant: 30,
  delivery: 30,
  memoryChange: 7,
  ingestRun: 30,
  receipt: 365,
  /** Longer than a user token is valid. */
  erasedUser: 3,
};

/** The `ttl` of data that ends at `endSeconds`; both are Unix time in seconds. */
export function ttlAfter(what: keyof typeof keptDays, endSeconds = Math.floor(Date.now() / 1_000)): number {
  return endSeconds + keptDays[what] * 24 * 3_600;
}

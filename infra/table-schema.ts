/** The table as the stack and the local engine create it. `pk`, `sk` and `due` are strings, `dueAt` is a number. */
export const tableSchema = {
  partitionKey: "pk",
  sortKey: "sk",
  /** Seconds since the epoch, after which the item may be removed. */
  timeToLive: "ttl",
  /** Sparse: only jobs that are not done have its attributes, the failed ones in a partition of their own. Payloads stay out of it. */
  dueIndex: {
    name: "due",
    partitionKey: "due",
    sortKey: "dueAt",
    attributes: ["id", "kind", "workspace", "state", "attempts", "sweeps", "leaseId"],
  },
} as const;

/** The table's schema, for the stack and the local engine. `pk`, `sk` and `due` are strings, `sweepAt` is a number. */
export const tableSchema = {
  partitionKey: "pk",
  sortKey: "sk",
  /** Unix time in seconds. DynamoDB deletes the item some time after it. */
  timeToLive: "ttl",
  /**
   * Sparse: it contains only jobs that are not done. Failed jobs have their own partitions. It has no attribute that
   * changes while a job runs, so a claim does not write it.
   */
  dueIndex: {
    name: "due",
    partitionKey: "due",
    sortKey: "sweepAt",
    attributes: ["id"],
  },
} as const;

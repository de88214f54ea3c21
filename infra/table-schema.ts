/** The table's schema, for the stack and the local engine. `pk`, `sk` and `due` are strings, `dueAt` is a number. */
export const tableSchema = {
  partitionKey: "pk",
  sortKey: "sk",
  /** Unix time in seconds. DynamoDB deletes the item some time after it. */
  timeToLive: "ttl",
  /** Sparse: it contains only jobs that are not done, without payloads. Failed jobs have their own partition. */
  dueIndex: {
    name: "due",
    partitionKey: "due",
    sortKey: "dueAt",
    attributes: ["id", "kind", "workspace", "state", "attempts", "sweeps", "leaseId"],
  },
} as const;

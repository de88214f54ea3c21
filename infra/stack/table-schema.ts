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
    name: "sweep",
    partitionKey: "due",
    sortKey: "sweepAt",
    attributes: ["id"],
  },
} as const;

const { dueIndex } = tableSchema;

export function keySchema(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: "HASH" as const },
    { AttributeName: range, KeyType: "RANGE" as const },
  ];
}

export function attributeDefinition(AttributeName: string, AttributeType: "S" | "N") {
  return { AttributeName, AttributeType };
}

/** What DynamoDB needs to add the index to a table. */
export const dueIndexAttributes = [
  attributeDefinition(dueIndex.partitionKey, "S"),
  attributeDefinition(dueIndex.sortKey, "N"),
];
export const dueIndexCreation = {
  IndexName: dueIndex.name,
  KeySchema: keySchema(dueIndex.partitionKey, dueIndex.sortKey),
  Projection: { ProjectionType: "INCLUDE" as const, NonKeyAttributes: [...dueIndex.attributes] },
};

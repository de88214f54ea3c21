/** The permissions that a function can declare, and the IAM actions of each. */
export const grantActions = {
  "table:read": ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"],
  "table:due": ["dynamodb:Query"],
  "table:write": ["dynamodb:PutItem", "dynamodb:UpdateItem"],
  /** Only the count of a workspace's calls, for endpoints that write nothing else. */
  "table:calls": ["dynamodb:UpdateItem"],
  "table:delete": ["dynamodb:DeleteItem"],
  "table:batch": ["dynamodb:BatchWriteItem"],
  "file:read": ["s3:GetObject"],
  "file:write": ["s3:PutObject"],
  "file:list": ["s3:ListBucket"],
  "file:delete": ["s3:DeleteObject"],
  "key:seal": ["kms:GenerateDataKey"],
  "key:unseal": ["kms:Decrypt"],
} as const;

/** The kinds of jobs. Each has its own queue and worker. */
export const jobKinds = ["drain", "fanout", "ingest", "migrate", "notify", "purge"] as const;
export type JobKind = (typeof jobKinds)[number];

/** `queue:<kind>` is sqs:SendMessage on that kind's queue. */
export type Grant = keyof typeof grantActions | `queue:${JobKind}`;

/** Whether a function with these grants can change the table. */
export const canWrite = (grants: readonly Grant[]) =>
  grants.some((grant) => grant === "table:write" || grant === "table:delete" || grant === "table:batch");

/** The grants that a call with an Idempotency-Key needs, see `http/idempotency.ts`. */
export const idempotencyGrants: readonly Grant[] = ["table:read", "table:write", "key:seal", "key:unseal"];

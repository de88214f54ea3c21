import { type Purpose, purposes } from "./purposes.ts";

/** The permissions that a function can declare, with their IAM actions. A permission for the key has one purpose. */
export const grantActions = {
  "table:read": ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"],
  "table:due": ["dynamodb:Query"],
  "table:write": ["dynamodb:PutItem", "dynamodb:UpdateItem"],
  /** Only the count of a workspace's calls, for endpoints that write nothing else. */
  "table:calls": ["dynamodb:UpdateItem"],
  /** Only the slots of a workspace's waits, for endpoints that write nothing else. */
  "table:slots": ["dynamodb:UpdateItem"],
  "table:delete": ["dynamodb:DeleteItem"],
  "table:batch": ["dynamodb:BatchWriteItem"],
  /** Always with `file:list`: without it, S3 answers 403 for a missing file, as for a file that is not allowed. */
  "file:read": ["s3:GetObject"],
  "file:write": ["s3:PutObject"],
  "file:list": ["s3:ListBucket"],
  "file:delete": ["s3:DeleteObject"],
  /** Raw messages of the second version of SES's API need both actions. Nothing is granted without `emailFrom`. */
  "mail:send": ["ses:SendEmail", "ses:SendRawEmail"],
  /** Live messages. Nothing is granted without the setting `live`. */
  "live:publish": ["appsync:EventPublish"],
  "key:seal": ["kms:GenerateDataKey"],
  "key:unseal": ["kms:Decrypt"],
} as const;

/** The kinds of jobs. Each has its own queue and worker. */
export const jobKinds = [
  "activity",
  "draft",
  "drain",
  "fanout",
  "ingest",
  "merge",
  "message",
  "migrate",
  "notify",
  "purge",
] as const;
export type JobKind = (typeof jobKinds)[number];

type KeyGrant = Extract<keyof typeof grantActions, `key:${string}`>;

/**
 * `queue:<kind>` is sqs:SendMessage on that kind's queue. `key:<verb>:<purpose>` seals or unseals values of that purpose
 * only, by a condition of IAM on the encryption context.
 */
export type Grant = Exclude<keyof typeof grantActions, KeyGrant> | `${KeyGrant}:${Purpose}` | `queue:${JobKind}`;

/** The grants for the keys of all AI vendors. */
export const aiKeyGrants = <Verb extends "seal" | "unseal">(verb: Verb) =>
  Object.values(purposes.aiKey).map((purpose) => `key:${verb}:${purpose}` as const);

/** Whether a function with these grants can change the table. */
export const canWrite = (grants: readonly Grant[]) =>
  grants.some((grant) => grant === "table:write" || grant === "table:delete" || grant === "table:batch");

/** The grants that a call with an Idempotency-Key needs, see `http/idempotency.ts`. */
export const idempotencyGrants: readonly Grant[] = [
  "table:read",
  "table:write",
  `key:seal:${purposes.idempotentReply}`,
  `key:unseal:${purposes.idempotentReply}`,
];

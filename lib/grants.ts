/** What a function may do, as its declaration names it, and the IAM actions that stand behind each name. */
export const grantActions = {
  "table:read": ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"],
  "table:due": ["dynamodb:Query"],
  "table:write": ["dynamodb:PutItem", "dynamodb:UpdateItem"],
  "table:delete": ["dynamodb:DeleteItem"],
  "table:purge": ["dynamodb:BatchWriteItem"],
  "key:seal": ["kms:GenerateDataKey"],
  "key:unseal": ["kms:Decrypt"],
} as const;

/** The kinds of jobs; each has a queue and a worker of its own. */
export const jobKinds = ["drain", "fanout", "purge"] as const;
export type JobKind = (typeof jobKinds)[number];

/** `queue:<kind>` is sqs:SendMessage on that kind's queue. */
export type Grant = keyof typeof grantActions | `queue:${JobKind}`;

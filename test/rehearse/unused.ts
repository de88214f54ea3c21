// Grants that the rehearsal does not use, each with its reason, by function.

export const inJobs = "its file is new only in jobs.test.ts, where an extraction is run";

const hasAddressKey = "the furnished workspace has a suppressed address, so the deployment has the key";

const isOff = "e-mail is off, since no provider can be reached from here";

/** Of an endpoint, in its own calls. */
export const unusedInCalls: Record<string, Record<string, string>> = {
  "emailconfig-test": {
    "kms:Decrypt email-api-key": isOff,
    "kms:GenerateDataKey address-hash": isOff,
    "kms:Decrypt address-hash": isOff,
  },
  "agents-extract": {
    "s3:ListBucket": "S3 asks for it only when a file is missing",
    "s3:PutObject": inJobs,
    "sqs:SendMessage ingest": inJobs,
  },
  "agents-uploads-create": { "s3:PutObject": "S3 uses it when it takes the file" },
};

/** Of a worker, in all jobs. */
export const unusedInJobs: Record<string, Record<string, string>> = {
  feedback: { "kms:GenerateDataKey address-hash": hasAddressKey },
  message: { "kms:GenerateDataKey address-hash": hasAddressKey },
};

/** Permissions that a role can have without use, because another one of the same grant is used. */
const unusedInGrants: Record<string, string> = {
  "dynamodb:Query": "of table:read, whose functions read single items or lists",
  "dynamodb:BatchGetItem": "of table:read, as above",
  "dynamodb:PutItem": "of table:write, whose functions make items or change them",
  "dynamodb:UpdateItem": "of table:write, as above",
};

/** Of the unused permissions, those without a reason. `inCalls`: the reasons of the function. */
export const withoutReason = (unused: readonly string[], inCalls: readonly string[]) =>
  unused.filter((name) => !Object.hasOwn(unusedInGrants, name) && !inCalls.includes(name));

export const namesIn = (list: typeof unusedInCalls, name: string) => Object.keys(list[name] ?? {});

export const unusedHint =
  "remove these grants, or add a request that uses them, or a reason in test/rehearse/unused.ts";

// Grants that the rehearsal does not use, each with its reason, by function.

const inJobs = "its file is new only in jobs.test.ts, where an extraction is run";

/** Of an endpoint, in its own calls. */
export const unusedInCalls: Record<string, Record<string, string>> = {
  "agents-extract": { "s3:PutObject": inJobs, "sqs:SendMessage ingest": inJobs },
};

/** Of a worker, in all jobs. */
export const unusedInJobs: Record<string, Record<string, string>> = {};

export const namesIn = (list: typeof unusedInCalls, name: string) => Object.keys(list[name] ?? {});

export const unusedHint =
  "remove these grants, or add a request that uses them, or a reason in test/rehearse/unused.ts";

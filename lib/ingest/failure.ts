import type { RunResult } from "../store/ingest-run.ts";

/** The contract's failure of a file without a result. `message` is public. */
export const internalFailure = (message: string): RunResult => ({
  failure: { status: "INTERNAL", message, isExpected: true },
});

export const fileExpired = internalFailure("The file has expired. Send it again.");

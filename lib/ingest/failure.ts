import type { RunResult } from "../store/ai/ingest-run.ts";

/** The contract's failure of a file without a result. `message` is public. */
export const internalFailure = (message: string): RunResult => ({
  failure: { status: "INTERNAL", message, isExpected: true },
});

/** Not expected, so not final: the same call succeeds when it is sent again, and its Idempotency-Key is released. */
export const fileExpired: RunResult = {
  failure: { status: "INTERNAL", message: "The file has expired. Send it again.", isExpected: false },
};

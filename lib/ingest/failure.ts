import type { RunResult } from "../store/ingest-run.ts";

/** `message` is public. */
export const internalFailure = (message: string): RunResult => ({ failure: { status: "INTERNAL", message } });

export const fileExpired = internalFailure("The file has expired. Send it again.");

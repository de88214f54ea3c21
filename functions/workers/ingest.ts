import { aiKeyGrants } from "../../lib/grants.ts";
import { extract } from "../../lib/ingest/extract.ts";
import { queueLambda } from "../../lib/jobs/lambda.ts";
import { worker } from "../../lib/jobs/worker.ts";
import * as IngestRun from "../../lib/store/ingest-run.ts";

/** After so many crashes, the file is the likely cause, and each attempt can cost a call to the vendor. */
const attemptsMax = 5;
const unprocessable = { status: "INTERNAL", message: "The file could not be processed." } as const;

export const ingest = worker({
  name: "ingest",
  jobs: "ingest",
  summary: "Reads an uploaded file in a sandbox, stores its text as knowledge, and has a model group its tasks.",
  grants: ["table:read", "table:write", "table:batch", "file:read", ...aiKeyGrants("unseal")],
  scripts: { reader: "lib/ingest/reader/main.ts" },
  timeoutSeconds: 90,
  // A reader can exceed `residentMb` of lib/ingest/limits.ts, besides this process. One message starts one reader.
  memoryMb: 2_048,
  batchSize: 1,

  async run({ workspace, payload, attempts }, until) {
    const run = await IngestRun.get({ workspace }, String(payload.fingerprint));
    if (run?.runId !== payload.runId || run?.state !== "running") return "done";
    const result = attempts > attemptsMax ? { failure: unprocessable } : await extract({ workspace }, run, until);
    const end = () => IngestRun.end({ workspace }, run, result);
    // Another run would pay the vendor again, so the write is tried twice.
    await end().catch(end);
    return "done";
  },
});
export const handler = queueLambda(ingest);

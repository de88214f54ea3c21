import { extract } from "../../lib/ingest/extract.ts";
import { queueLambda } from "../../lib/jobs/lambda.ts";
import { worker } from "../../lib/jobs/worker.ts";
import * as IngestRun from "../../lib/store/ingest-run.ts";

/** A file that is there at so many deaths of its worker may be their cause; and each of them can have cost a call. */
const attemptsMax = 5;
const givenUp = { status: "INTERNAL", message: "The file could not be processed." } as const;

export const ingest = worker({
  name: "ingest",
  jobs: "ingest",
  summary: "Reads an uploaded file in a sandbox, keeps its text as knowledge, and has a model group its tasks.",
  grants: ["table:read", "table:write", "table:batch", "file:read", "key:unseal"],
  scripts: { reader: "lib/ingest/reader/main.ts" },
  timeoutSeconds: 90,
  // A reader may take 800 of them beside this process, and one message is one reader.
  memoryMb: 2_048,
  batchSize: 1,

  async run({ workspace, payload, attempts }, until) {
    const run = await IngestRun.get(workspace, String(payload.fingerprint));
    if (run?.runId !== payload.runId || run?.state !== "running") return "done";
    const outcome = attempts > attemptsMax ? { failure: givenUp } : await extract(workspace, run, until);
    const end = () => IngestRun.end(workspace, run, outcome);
    // The model's answer is paid for: one write that fails must not lose it.
    await end().catch(end);
    return "done";
  },
});
export const handler = queueLambda(ingest);

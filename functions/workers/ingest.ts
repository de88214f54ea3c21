import { readTasks } from "../../lib/ingest/read.ts";
import { continueWith } from "../../lib/ingest/start-run.ts";
import { runStep } from "../../lib/ingest/step.ts";
import { queueLambda } from "../../lib/jobs/lambda.ts";
import { worker } from "../../lib/jobs/worker.ts";

const timeoutSeconds = 60;

export const ingest = worker({
  name: "ingest",
  jobs: "ingest",
  summary: "Reads an uploaded file in a sandbox, and stores its text as knowledge and its tasks for the model.",
  grants: ["table:read", "table:write", "table:batch", "file:read", "file:list", "file:write", "queue:draft"],
  scripts: { reader: "lib/ingest/reader/main.ts" },
  timeoutSeconds,
  // A reader can exceed `residentMb` of lib/ingest/limits.ts, besides this process. One message starts one reader.
  memoryMb: 2_048,
  batchSize: 1,

  run: (job, until) =>
    runStep(job, timeoutSeconds, async (run) => {
      const failed = await readTasks(job, run, until);
      if (!failed) await continueWith(job, "draft", run);
      return failed;
    }),
});
export const handler = queueLambda(ingest);

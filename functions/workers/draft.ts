import { aiKeyGrants } from "../../lib/grants.ts";
import { draftAgents } from "../../lib/ingest/draft.ts";
import { runStep } from "../../lib/ingest/step.ts";
import { queueLambda } from "../../lib/jobs/lambda.ts";
import { worker } from "../../lib/jobs/worker.ts";

/** The wait for the model, and the time to store the result. */
const timeoutSeconds = 40;

export const draft = worker({
  name: "draft",
  jobs: "draft",
  summary: "Has a model group the tasks of a file into draft agents.",
  grants: ["table:read", "table:write", "file:read", "file:list", ...aiKeyGrants("unseal")],
  callsOut: true,
  timeoutSeconds,
  batchSize: 1,
  // An invocation only waits for a model. A workspace has at most two, so a few slow models hold up nobody else.
  concurrencyMax: 100,

  run: (job, until) => runStep(job, timeoutSeconds, (run) => draftAgents(job, run, until)),
});
export const handler = queueLambda(draft);

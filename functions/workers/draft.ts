import { completeObject } from "../../lib/ai/complete.ts";
import { modelError } from "../../lib/ai/failure.ts";
import { aiKeyGrants } from "../../lib/grants.ts";
import { Grouping, getTasks, instructions, resultOf } from "../../lib/ingest/grouping.ts";
import { fileExpired, internalFailure, runStep } from "../../lib/ingest/step.ts";
import { worker } from "../../lib/jobs/worker.ts";
import { queueLambda } from "../../lib/jobs/worker-lambda.ts";
import { log } from "../../lib/log.ts";
import * as IngestRun from "../../lib/store/ai/ingest-run.ts";
import type { WorkspaceRef } from "../../lib/store/refs.ts";
import * as Setting from "../../lib/store/setting.ts";

/** The wait for the model, and the time to store the result. */
const timeoutSeconds = 40;

export const draft = worker({
  name: "draft",
  jobs: "draft",
  summary: "Asks a model to group the tasks of a file into draft agents.",
  grants: ["table:read", "table:write", "file:read", "file:list", ...aiKeyGrants("unseal")],
  callsOut: true,
  timeoutSeconds,
  batchSize: 1,
  // An invocation only waits for a model. A workspace has at most two, so a few slow models hold up nobody else.
  concurrencyMax: 100,

  run: (job, until) => runStep(job, timeoutSeconds, (run) => draftAgents(job, run, until)),
});
export const handler = queueLambda(draft);

/** A DynamoDB item has at most 400 KB, and the run has other fields. */
const resultBytesMax = 350_000;
/** How long the step waits for the model, over all its calls. */
const modelSeconds = 25;

/**
 * The second step of an extraction. Safe to repeat. `until` is in ms since the epoch. Throws if another worker has taken
 * over the run.
 */
async function draftAgents(
  { workspace }: WorkspaceRef,
  run: IngestRun.IngestRun,
  until: number,
): Promise<IngestRun.RunResult> {
  const tasks = await getTasks({ workspace }, run.runId);
  if (!tasks) return fileExpired;
  let { vendorCalls } = run;
  const question = {
    workspace,
    ai: await Setting.get({ workspace }, "ai"),
    vendor: run.vendor,
    instructions,
    prompt: tasks.prompt,
    deadline: Math.min(until, Date.now() + modelSeconds * 1_000),
    beforeCall: async () => {
      const isOurs = await IngestRun.countCall({ workspace }, { ...run, vendorCalls });
      if (!isOurs) throw new Error("Another worker has taken over the run.");
      vendorCalls += 1;
    },
  };
  const completion = await completeObject(question, Grouping);
  if (completion.failure) {
    const { kind: reason, message, cause } = completion.failure;
    log("warn", "A model call failed.", { workspace, run: run.runId, outcome: reason, cause });
    const { status, isExpected } = modelError(completion.failure);
    // Extractions have no FAILED_PRECONDITION (DECISIONS.md#model-choice-and-failures).
    return { failure: { status: status === "FAILED_PRECONDITION" ? "INTERNAL" : status, message, isExpected } };
  }
  const result = JSON.stringify(resultOf(tasks, completion.answer, tasks.sourceId));
  return Buffer.byteLength(result) > resultBytesMax ? internalFailure("The model's answer is too long.") : { result };
}

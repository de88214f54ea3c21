// The second step of an extraction: a model groups the tasks into draft agents.
import { completeObject } from "../ai/complete.ts";
import { modelError } from "../ai/failure.ts";
import { log } from "../log.ts";
import * as IngestRun from "../store/ai/ingest-run.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";
import { fileExpired, internalFailure } from "./failure.ts";
import { Grouping, instructions, resultOf } from "./grouping.ts";
import * as StoredTasks from "./stored-tasks.ts";

/** A DynamoDB item has at most 400 KB, and the run has other fields. */
const resultBytesMax = 350_000;
/** How long the step waits for the model, over all its calls. */
const modelSeconds = 25;

/** Safe to repeat. `until` is in ms since the epoch. Throws if another worker has taken over the run. */
export async function draftAgents(
  { workspace }: WorkspaceRef,
  run: IngestRun.IngestRun,
  until: number,
): Promise<IngestRun.RunResult> {
  const tasks = await StoredTasks.get({ workspace }, run.runId);
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

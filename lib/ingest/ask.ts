// Asks a model in an extraction. An answer is stored, and not asked for again.
import type * as z from "zod/mini";
import { completeObject } from "../ai/complete.ts";
import type { Failure } from "../ai/failure.ts";
import { log } from "../log.ts";
import * as IngestRun from "../store/ai/ingest-run.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";
import * as RunFiles from "./run-files.ts";

/** How long a call waits for the model. A long answer takes minutes. */
export const modelSeconds = 300;

export type Ask = <Value>(instructions: string, prompt: string, schema: z.ZodMiniType<Value>) => Promise<Value>;

/** There is no answer of the model. `failure` says why. */
export class ModelFailed extends Error {
  override readonly name = "ModelFailed";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/**
 * Returns a function that asks the model until `until` (ms since the epoch). It throws ModelFailed, or another error if
 * another worker has taken over the run.
 */
export async function asking({ workspace }: WorkspaceRef, run: IngestRun.IngestRun, until: number): Promise<Ask> {
  const ai = await Setting.get({ workspace }, "ai");
  let { vendorCalls } = run;
  let counted = Promise.resolve();
  const count = async () => {
    const isOurs = await IngestRun.countCall({ workspace }, { ...run, vendorCalls });
    if (!isOurs) throw new Error("Another worker has taken over the run.");
    vendorCalls += 1;
  };
  return async (instructions, prompt, schema) => {
    const answers = RunFiles.answerTo(prompt);
    const ref = { workspace, runId: run.answersOf ?? run.runId };
    const known = await answers.read(ref);
    if (known) return known;
    const completion = await completeObject(
      {
        ...{ workspace, ai, vendor: run.vendor, instructions, prompt },
        deadline: Math.min(until, Date.now() + modelSeconds * 1_000),
        // One after the other, since each count is conditional on the one before.
        beforeCall: () => {
          counted = counted.then(count);
          return counted;
        },
      },
      schema,
    );
    if (completion.failure) throw new ModelFailed(completion.failure);
    // This run has the answer. Only a later run, after a failure, would pay again.
    await answers.write(ref, completion.answer).catch((cause: unknown) => {
      log("warn", "The answer of a model was not stored.", { run: run.runId, cause });
    });
    return completion.answer;
  };
}

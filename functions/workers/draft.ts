import { modelError } from "../../lib/ai/failure.ts";
import { inParallel } from "../../lib/concurrency.ts";
import { aiKeyGrants } from "../../lib/grants.ts";
import { type Ask, asking, ModelFailed, modelSeconds } from "../../lib/ingest/ask.ts";
import { cut, Lines, Merge, merged, mergeInstructions, mergePrompt } from "../../lib/ingest/drafts.ts";
import { Answer, instructions, partsOf } from "../../lib/ingest/prompt.ts";
import * as RunFiles from "../../lib/ingest/run-files.ts";
import { fileExpired, runStep } from "../../lib/ingest/step.ts";
import { queueLambda, worker } from "../../lib/jobs/worker-lambda.ts";
import { log } from "../../lib/log.ts";
import type { ExtractionResult } from "../../lib/schema/extraction.ts";
import type * as IngestRun from "../../lib/store/ai/ingest-run.ts";
import type { WorkspaceRef } from "../../lib/store/refs.ts";

/** The step waits for a model twice: for all parts, and to join them. Then it stores the result. */
const timeoutSeconds = 2 * modelSeconds + 30;

export const draft = worker({
  name: "draft",
  jobs: "draft",
  summary: "Asks a model what the tasks of a file are, and to group them into draft agents.",
  grants: ["table:read", "table:write", "file:read", "file:list", "file:write", ...aiKeyGrants("unseal")],
  callsOut: true,
  timeoutSeconds,
  batchSize: 1,
  // An invocation only waits for a model. A workspace has at most two, so a few slow models hold up nobody else.
  concurrencyMax: 100,

  run: (job, until) => runStep(job, timeoutSeconds, (run) => draftAgents(job, run, until)),
});
export const handler = queueLambda(draft);

/**
 * The second step of an extraction. Safe to repeat: no model is asked twice. Throws if another worker has taken over the
 * run.
 */
async function draftAgents(ref: WorkspaceRef, run: IngestRun.IngestRun, until: number): Promise<IngestRun.RunResult> {
  const runRef = { workspace: ref.workspace, runId: run.runId };
  const content: RunFiles.StoredLines | undefined = await RunFiles.lines.read(runRef);
  if (!content) return fileExpired;
  try {
    const result = await resultOf(content, await asking(ref, run, until));
    await RunFiles.result.write(runRef, result);
    return {};
  } catch (thrown) {
    if (!(thrown instanceof ModelFailed)) throw thrown;
    const { kind: outcome, message, cause } = thrown.failure;
    log("warn", "A model call failed.", { workspace: ref.workspace, run: run.runId, outcome, cause });
    const { status, isExpected } = modelError(thrown.failure);
    // Extractions have no FAILED_PRECONDITION (DECISIONS.md#model-choice-and-failures).
    return { failure: { status: status === "FAILED_PRECONDITION" ? "INTERNAL" : status, message, isExpected } };
  }
}

async function resultOf(content: RunFiles.StoredLines, ask: Ask): Promise<ExtractionResult> {
  const parts = partsOf(content);
  const answers = await inParallel(parts, parts.length, ({ prompt }) => ask(instructions, prompt, Answer));
  const read = parts.at(-1)?.last ?? 0;
  const lines = new Lines(content.lines, read);
  const drafts = answers.flatMap((answer, index) => lines.draftsOf(answer, parts[index] as (typeof parts)[number]));
  const summaries = answers.map(({ summary }) => summary);
  const whole =
    parts.length > 1 && drafts.length > 0
      ? await ask(mergeInstructions, mergePrompt(drafts, summaries), Merge)
      : { agents: [], summary: summaries.join(" ") };
  const omitted = content.lines.length - read;
  const notes = [
    ...content.notes,
    ...(omitted > 0 ? [`The last ${omitted} lines are above the limit, and unread.`] : []),
  ];
  const counts = answers.map(({ totalTasksParsed }) => totalTasksParsed);
  return {
    ...lines.end(merged(drafts, whole)),
    summary: [cut(whole.summary, 4_000), ...notes].join(" "),
    ...(counts.every(isCount) && { totalTasksParsed: counts.reduce((sum, count) => sum + count, 0) }),
    memory: { sourceId: content.sourceId },
  };
}

const isCount = (value: number | null): value is number => value !== null && Number.isInteger(value) && value >= 0;

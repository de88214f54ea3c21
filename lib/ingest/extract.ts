// Runs one extraction: reads the file, stores its text as knowledge, and lets a model group its tasks.
import { completeObject } from "../ai/complete.ts";
import { modelError } from "../ai/failure.ts";
import { log } from "../log.ts";
import * as Blob from "../store/blob.ts";
import * as IngestRun from "../store/ingest-run.ts";
import * as Knowledge from "../store/knowledge.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";
import { problems } from "./content.ts";
import { kindOf } from "./file-type.ts";
import { Grouping, instructions, numbered, resultOf } from "./grouping.ts";
import { readInSandbox } from "./sandbox.ts";

/** A DynamoDB item has at most 400 KB, and the run has other fields. */
const resultBytesMax = 350_000;

/** Safe to repeat. `until` is in ms since the epoch. Throws if another worker has taken over the run. */
export async function extract(
  { workspace }: WorkspaceRef,
  run: IngestRun.IngestRun,
  until: number,
): Promise<IngestRun.RunResult> {
  const bytes = await Blob.get({ workspace }, run.fingerprint);
  const kind = kindOf(run.mimeType);
  if (!bytes || !kind) return internalFailure("The file has expired. Send it again.");
  const content = await readInSandbox(bytes, kind, until);
  if ("problem" in content) return internalFailure(`The file has no readable content. ${problems[content.problem]}`);

  const sourceId = Knowledge.sourceIdOf(bytes, kind);
  const { runId: sourceUid, mimeType, fileName } = run;
  await Knowledge.add({ workspace }, { sourceId, sourceUid, mimeType, ...(fileName && { fileName }) }, content.lines);

  const tasks = numbered(content);
  let { vendorCalls } = run;
  const question = {
    workspace,
    ai: await Setting.get({ workspace }, "ai"),
    vendor: run.vendor,
    instructions,
    prompt: tasks.prompt,
    deadline: until,
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
    const { status } = modelError(completion.failure);
    // Extractions have no FAILED_PRECONDITION (DECISIONS.md#model-choice-and-failures).
    return { failure: { status: status === "FAILED_PRECONDITION" ? "INTERNAL" : status, message } };
  }
  const result = JSON.stringify(resultOf(tasks, completion.answer, sourceId));
  return Buffer.byteLength(result) > resultBytesMax ? internalFailure("The model's answer is too long.") : { result };
}

const internalFailure = (message: string): IngestRun.RunResult => ({ failure: { status: "INTERNAL", message } });

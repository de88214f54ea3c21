import { completeObject } from "../../lib/ai/complete.ts";
import { toApiError } from "../../lib/ai/failure.ts";
import type { ErrorStatus } from "../../lib/errors.ts";
import { problems } from "../../lib/ingest/content.ts";
import { kindOf } from "../../lib/ingest/file-type.ts";
import { Grouping, instructions, numbered, resultOf } from "../../lib/ingest/grouping.ts";
import { readInSandbox } from "../../lib/ingest/sandbox.ts";
import type { Job } from "../../lib/jobs.ts";
import { log } from "../../lib/log.ts";
import * as Blob from "../../lib/store/blob.ts";
import * as IngestRun from "../../lib/store/ingest-run.ts";
import * as Knowledge from "../../lib/store/knowledge.ts";
import * as Setting from "../../lib/store/setting.ts";
import { worker } from "../../lib/worker.ts";
import { queueLambda } from "../../lib/worker-lambda.ts";

/** A run is paid twice only where its process died between a call and its answer; three deaths end it. */
const vendorCallsMax = 6;

export const ingest = worker({
  name: "ingest",
  jobs: "ingest",
  summary: "Reads an uploaded file in a sandbox, keeps its text as knowledge, and has a model group its tasks.",
  grants: ["table:read", "table:write", "table:purge", "file:read", "key:unseal"],
  scripts: { reader: "lib/ingest/reader/main.ts" },
  timeoutSeconds: 120,
  // The reader may take 800 of them beside this process.
  memoryMb: 2_048,

  async run({ workspace, payload }, until) {
    const run = await IngestRun.get(workspace, payload.fingerprint as string);
    if (run?.runId !== payload.runId || run?.state !== "running") return "done";
    const outcome = await work(workspace, run, until);
    const isFailure = "message" in outcome;
    await IngestRun.update(
      workspace,
      run,
      isFailure ? { state: "failed", failure: outcome } : { state: "completed", result: outcome.result },
    );
    return "done";
  },
});
export const handler = queueLambda(ingest);

type Outcome = { result: string } | { status: ErrorStatus; message: string };
const internal = (message: string): Outcome => ({ status: "INTERNAL", message });

async function work(workspace: Job["workspace"], run: IngestRun.IngestRun, until: number): Promise<Outcome> {
  const bytes = await Blob.get(IngestRun.blobKeyOf(workspace, run.runId));
  const kind = kindOf(run.mimeType);
  if (!bytes || !kind) return internal("The file is gone. Send it again.");
  const content = await readInSandbox(bytes, kind, until);
  if ("problem" in content) return internal(`The file has no readable content. ${problems[content.problem]}`);

  const sourceId = Knowledge.sourceIdOf(bytes);
  const { mimeType, fileName, vendor } = run;
  await Knowledge.add(workspace, { sourceId, mimeType, fileName }, content.lines);

  if (run.vendorCalls >= vendorCallsMax) return internal("The model gave no usable answer.");
  const tasks = numbered(content);
  let vendorCalls = run.vendorCalls;
  const question = {
    workspace,
    ai: await Setting.get(workspace, "ai"),
    vendor,
    instructions,
    prompt: tasks.prompt,
    deadline: until,
    beforeCall: async () => {
      vendorCalls += 1;
      await IngestRun.update(workspace, run, { vendorCalls });
    },
  };
  const outcome = await completeObject(question, Grouping);
  if (outcome.failure === undefined) return { result: JSON.stringify(resultOf(tasks, outcome.answer, sourceId)) };
  const { kind: reason, message, cause } = outcome.failure;
  log("warn", "model", { workspace, run: run.runId, outcome: reason, cause });
  const { status } = toApiError(outcome.failure);
  // The contract's answer where there is no key to work with.
  return { status: status === "FAILED_PRECONDITION" ? "INTERNAL" : status, message };
}

import { problems } from "../../lib/ingest/file-content.ts";
import { kindOf } from "../../lib/ingest/file-type.ts";
import * as RunFiles from "../../lib/ingest/run-files.ts";
import { readInSandbox } from "../../lib/ingest/sandbox.ts";
import { continueWith } from "../../lib/ingest/start-run.ts";
import { fileExpired, internalFailure, runStep } from "../../lib/ingest/step.ts";
import { queueLambda, worker } from "../../lib/jobs/worker-lambda.ts";
import type { IngestRun, RunResult } from "../../lib/store/ai/ingest-run.ts";
import * as Knowledge from "../../lib/store/ai/knowledge.ts";
import * as Blob from "../../lib/store/blob.ts";
import type { WorkspaceRef } from "../../lib/store/refs.ts";

const timeoutSeconds = 60;

export const ingest = worker({
  name: "ingest",
  jobs: "ingest",
  summary: "Reads an uploaded file in a sandbox, and stores its text as knowledge and its lines for the model.",
  grants: ["table:read", "table:write", "table:batch", "file:read", "file:list", "file:write", "queue:draft"],
  scripts: { reader: "lib/ingest/reader/main.ts" },
  timeoutSeconds,
  // A reader can exceed `residentMb` of lib/ingest/file-limits.ts, besides this process. One message starts one reader.
  memoryMb: 2_048,
  batchSize: 1,

  run: (job, until) =>
    runStep(job, timeoutSeconds, async (run) => {
      const failed = await readLines(job, run, until);
      if (!failed) await continueWith(job, "draft", run);
      return failed;
    }),
});
export const handler = queueLambda(ingest);

/** The first step of an extraction. Safe to repeat. Returns a result only if the run has failed. */
async function readLines({ workspace }: WorkspaceRef, run: IngestRun, until: number): Promise<RunResult | undefined> {
  const bytes = await Blob.get({ workspace }, run.fingerprint);
  const kind = bytes && kindOf(run.mimeType, bytes);
  if (!kind) return fileExpired;
  const content = await readInSandbox(bytes, kind, until);
  if ("problem" in content) return internalFailure(`The file has no readable content. ${problems[content.problem]}`);

  const { runId: sourceUid, mimeType, fileName, organizationId, organizationUid } = run;
  const sourceId = Knowledge.sourceIdOf(bytes, kind, organizationUid);
  const life = organizationId && organizationUid && { organizationId, organizationUid };
  const source = { sourceId, sourceUid, mimeType, ...(fileName && { fileName }), ...life };
  const isStored = await Knowledge.add({ workspace }, source, content.lines);
  if (!isStored) return internalFailure("The organization has been deleted.");
  await RunFiles.lines.write({ workspace, runId: run.runId }, { ...content, sourceId });
  return undefined;
}

// The first step of an extraction: reads the file, stores its text as knowledge, and stores its tasks for the model.
import type { IngestRun, RunResult } from "../store/ai/ingest-run.ts";
import * as Knowledge from "../store/ai/knowledge.ts";
import * as Blob from "../store/blob.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { problems } from "./content.ts";
import { fileExpired, internalFailure } from "./failure.ts";
import { kindOf } from "./file-type.ts";
import { numbered } from "./grouping.ts";
import { readInSandbox } from "./sandbox.ts";
import * as StoredTasks from "./stored-tasks.ts";

/** Safe to repeat. `until` is in ms since the epoch. Returns a result only if the run has failed. */
export async function readTasks(
  { workspace }: WorkspaceRef,
  run: IngestRun,
  until: number,
): Promise<RunResult | undefined> {
  const bytes = await Blob.get({ workspace }, run.fingerprint);
  const kind = kindOf(run.mimeType);
  if (!bytes || !kind) return fileExpired;
  const content = await readInSandbox(bytes, kind, until);
  if ("problem" in content) return internalFailure(`The file has no readable content. ${problems[content.problem]}`);

  const sourceId = Knowledge.sourceIdOf(bytes, kind);
  const { runId: sourceUid, mimeType, fileName } = run;
  await Knowledge.add({ workspace }, { sourceId, sourceUid, mimeType, ...(fileName && { fileName }) }, content.lines);
  await StoredTasks.put({ workspace }, run.runId, { ...numbered(content), sourceId });
  return undefined;
}

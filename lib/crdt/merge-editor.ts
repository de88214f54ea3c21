// Merges the updates of an editor into its content. Every step can run twice, and a run that continues after its lease
// has ended changes nothing that a reader sees.
import { randomUUID } from "node:crypto";
import { inFlightSeconds } from "../call.ts";
import { emptyPartition } from "../deletion/purge.ts";
import type { Job } from "../jobs/job.ts";
import type { RunResult } from "../jobs/worker.ts";
import { log } from "../log.ts";
import * as Crdt from "../store/crdt.ts";
import * as Merge from "../store/crdt-merge.ts";
import type { DocumentUid } from "../store/refs.ts";
import { compact, merge } from "./updates.ts";

type Payload = {
  documentUid: DocumentUid;
  editorId: string;
  generation: string;
  /** The run only corrects the counters, if they are still as this says. */
  quiet?: Quiet;
};
type Quiet = { updatedAt?: string | undefined; usedBytes?: number | undefined };

/** After so many attempts, a merge leaves the content as it is: to integrate it may take too long. */
const compactingAttempts = 2;

export async function mergeEditor(job: Job, until: number): Promise<RunResult> {
  const { quiet, ...payload } = job.payload as Payload;
  const again = (delaySeconds: number, more: Partial<Payload> = {}): RunResult => ({
    again: { payload: { ...payload, ...more }, delaySeconds },
  });
  const life = { workspace: job.workspace, ...payload };
  const editor = await Crdt.get(life);
  if (!editor || Crdt.generationOf(editor) !== life.generation) {
    return (await removeAll(life, until)) ? "done" : again(0);
  }
  if (quiet && !isAs(quiet, editor)) return "done";
  const { state, updates, isPartial, former, leftover } = await Merge.read(life, editor);
  // A part is missing: the document is being purged.
  if (!state) return "done";
  if (quiet) {
    await Merge.recount(life, editor, updates);
    return "done";
  }
  if (updates.length > 0 || editor.base === undefined) {
    const changes = updates.map(({ bytes }) => bytes);
    const merged = mergedOf([state, ...changes], job.attempts <= compactingAttempts);
    if (!(await Merge.replace(life, editor, { state: merged, base: randomUUID(), updates }))) return again(0);
    await Merge.remove([...updates, ...former]);
  }
  await Merge.remove(leftover);
  if (isPartial) return again(0);
  const now = await Crdt.get(life);
  // Updates that are reserved and not stored: their calls run, or have died. When those have ended, it is the latter.
  return now && (now.waiting !== 0 || now.usedBytes !== now.sizeBytes)
    ? again(inFlightSeconds, { quiet: { updatedAt: now.updatedAt, usedBytes: now.usedBytes } })
    : "done";
}

const isAs = ({ updatedAt, usedBytes }: Quiet, editor: Crdt.Editor) =>
  editor.updatedAt === updatedAt && editor.usedBytes === usedBytes;

/** What calls and merges of a generation that has ended have stored after it. Returns false when time is over. */
async function removeAll(life: Crdt.EditorLifeRef, until: number): Promise<boolean> {
  const { isDone } = await emptyPartition(life, Crdt.editorPartition(life), until);
  await Merge.removeFormer(life);
  return isDone;
}

/** One update, as small as possible. */
function mergedOf(updates: readonly Uint8Array[], mayCompact: boolean): Uint8Array {
  const merged = merge(updates.filter((each) => each.byteLength > 0));
  if (!mayCompact) return merged;
  try {
    const compacted = compact(merged);
    return compacted.byteLength <= merged.byteLength ? compacted : merged;
  } catch (cause) {
    log("warn", "An editor has an update that Yjs cannot integrate.", { cause });
    return merged;
  }
}

// Merges the updates of an editor into its content. Every step can run twice, and a run that continues after its lease
// has ended changes nothing that a reader sees.
import { randomUUID } from "node:crypto";
import { inFlightSeconds } from "../call.ts";
import { emptyPartition } from "../deletion/purge.ts";
import type { RunResult } from "../jobs/worker.ts";
import { log } from "../log.ts";
import * as Crdt from "../store/crdt/crdt.ts";
import * as Merge from "../store/crdt/crdt-merge.ts";
import type { Job } from "../store/job.ts";
import type { DocumentUid } from "../store/refs.ts";
import { isDue } from "./merge-job.ts";
import { compact, merge } from "./updates.ts";

type Payload = {
  documentUid: DocumentUid;
  editorId: string;
  generation: string;
  /** Ms since the epoch. A run after this time only corrects the counters. An earlier run was woken, and merges. */
  recountAt?: number;
};

/** After so many attempts, a merge leaves the content as it is: the integration may take too much memory. */
const compactingAttempts = 2;

export async function mergeEditor(job: Job, until: number): Promise<RunResult> {
  const startedAt = Date.now();
  const { recountAt, ...payload } = job.payload as Payload;
  const again: RunResult = { again: { payload, delaySeconds: 0 } };
  const life = { workspace: job.workspace, ...payload };
  const editor = await Crdt.get(life);
  if (!editor || editor.generation !== life.generation) return (await removeAll(life, until)) ? "done" : again;
  if (recountAt !== undefined && recountAt <= startedAt && !isDue(editor)) return recount(life, editor, startedAt);
  const { state, updates, isPartial, former, leftover } = await Merge.read(life, editor);
  let { base } = editor;
  if (state && updates.length > 0) {
    const changes = updates.map(({ bytes }) => bytes);
    const merged = mergedOf([state, ...changes], job.attempts <= compactingAttempts);
    base = randomUUID();
    if (!(await Merge.replace(life, editor, { state: merged, base, updates }))) return again;
    await Merge.remove([...updates, ...former]);
  }
  const now = await Crdt.get(life);
  // Another run or a deletion was faster. Then parts that look useless can be the present content.
  if (!now || now.base !== base || now.createdAt !== editor.createdAt) return again;
  // A part is missing: the document is being purged.
  if (!state) return "done";
  await Merge.remove(leftover);
  if (isPartial) return again;
  if (now.waiting === 0 && now.usedBytes === now.sizeBytes) return "done";
  if (callsEndAt(now) > startedAt) return recountLater(payload, callsEndAt(now));
  return (await Merge.recount(life, now, [])) ? "done" : again;
}

/**
 * The time when all calls that have reserved bytes have ended, ms since the epoch. Until then, a call can still store
 * its reserved update. After it, a call that has stored nothing has died.
 */
const callsEndAt = ({ updatedAt }: Crdt.Editor) => Date.parse(updatedAt) + inFlightSeconds * 1_000;

function recountLater(payload: Payload, recountAt: number): RunResult {
  const delaySeconds = Math.max(0, Math.ceil((recountAt - Date.now()) / 1_000));
  return { again: { payload: { ...payload, recountAt }, delaySeconds } };
}

/** Corrects the counters without a merge. While the editor is in use, the next merge corrects them. */
async function recount(life: Crdt.EditorLifeRef, editor: Crdt.Editor, startedAt: number): Promise<RunResult> {
  if (callsEndAt(editor) > startedAt) return "done";
  const { state, updates, isPartial } = await Merge.read(life, editor);
  if (state && !isPartial) await Merge.recount(life, editor, updates);
  return "done";
}

/** Deletes what late calls and merges have stored for an ended generation. Returns false when the time is over. */
async function removeAll(life: Crdt.EditorLifeRef, until: number): Promise<boolean> {
  return (await emptyPartition(life, Crdt.editorPartition(life), until)).isDone;
}

/** One update, as small as possible. */
function mergedOf(updates: readonly Uint8Array[], mayCompact: boolean): Uint8Array {
  const merged = merge(updates.filter((each) => each.byteLength > 0));
  if (!mayCompact) return merged;
  try {
    const compacted = compact(merged);
    return compacted.byteLength <= merged.byteLength ? compacted : merged;
  } catch (cause) {
    log("warn", "An editor has an update that Yjs cannot integrate in time.", { cause });
    return merged;
  }
}

// When the updates of an editor are merged into its content, and the job that does it.
import { hash } from "node:crypto";
import type { Editor, EditorLifeRef } from "../store/crdt/crdt.ts";
import { type Job, newJob } from "../store/job.ts";

/**
 * A merge writes the content anew and deletes the former content: one unit for each 1,024 bytes. It also deletes the
 * updates: one unit each. With these numbers, it costs at most five units for an update of up to 1 KB, and six units
 * for each KB of a larger update, for any size of the content. Beyond the content, a reader reads at most half its size
 * and 128 KB.
 */
const updatesMin = 256;
const bytesPerUpdate = 2_048;
const bytesMin = 128 * 1_024;
/** While a merge is due, one update in so many wakes its job again: the message can be lost, or the job failed. */
const updatesPerWake = 16;

type Counters = Pick<Editor, "sizeBytes" | "usedBytes" | "waiting">;

export const isDue = ({ sizeBytes, usedBytes, waiting }: Counters): boolean =>
  waiting >= updatesMin + Math.floor(sizeBytes / bytesPerUpdate) || usedBytes - sizeBytes >= bytesMin + sizeBytes / 2;

/** Whether an update of so many bytes must wake the merge. `editor`: as it is after the reservation of the update. */
export function mustWake(editor: Editor, bytes: number): boolean {
  const { usedBytes, waiting } = editor;
  const before = { ...editor, usedBytes: usedBytes - bytes, waiting: waiting - 1 };
  return isDue(editor) && (!isDue(before) || waiting % updatesPerWake === 0);
}

/** The job that merges the updates of an editor. Its id is a hash of the editor's, so an editor has one such job. */
export function mergeJob({ workspace, documentUid, editorId, generation }: EditorLifeRef): Job {
  const name = JSON.stringify([workspace, documentUid, editorId, generation]);
  const id = `merge-${hash("sha256", name, "base64url")}`;
  return { ...newJob("merge", workspace, { documentUid, editorId, generation }), id };
}

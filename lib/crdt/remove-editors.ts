import { notedSteps } from "../call.ts";
import { purgeJob } from "../deletion/purge-job.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Crdt from "../store/crdt/crdt.ts";
import type { DocumentDataRef, DocumentRef } from "../store/refs.ts";

/** Deletes editors, and starts the purge of their content. Returns the ids of those that existed. */
export async function removeEditors(
  document: DocumentRef & DocumentDataRef,
  editorIds: readonly string[],
): Promise<Set<string>> {
  const { workspace, organizationId, documentId } = document;
  const noted = await notedSteps();
  const nameOf = new Map(editorIds.map((editorId, index) => [editorId, String(index)]));
  const removed = new Set(editorIds.filter((editorId) => noted.has(nameOf.get(editorId) as string)));
  await retryOnConflict("editors", async () => {
    const rest = editorIds.filter((editorId) => !removed.has(editorId));
    const editors = (await Crdt.getMany(document, rest)).filter((editor) => editor !== undefined);
    const units = editors.map((editor) => {
      const ref = { ...document, editorId: editor.editorId };
      const partition = Crdt.editorPartition({ ...ref, generation: editor.generation });
      const step = { name: nameOf.get(editor.editorId) as string, outcome: "deleted" };
      return { editorId: editor.editorId, partition, step, writes: [Crdt.removal(ref, editor)] };
    });
    const outcome = await commitEach(units, (deleted) => ({
      jobs: [
        purgeJob(
          workspace,
          deleted.map(({ partition }) => partition),
        ),
      ],
      events: deleted.map(({ editorId }) => ({
        type: "crdt.delete",
        workspace,
        organizationId,
        documentId,
        data: { editorId },
      })),
    }));
    for (const [index, { editorId }] of units.entries()) if (outcome[index]) removed.add(editorId);
    // A merge has changed the others since they were read.
    return outcome.every(Boolean) ? undefined : conflict;
  });
  return removed;
}

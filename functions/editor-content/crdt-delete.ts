import * as z from "zod/mini";
import { notedSteps } from "../../lib/call.ts";
import { existingDocument } from "../../lib/content/existing.ts";
import { purgeJob } from "../../lib/deletion/purge-job.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { byId, done, ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, ids } from "../../lib/schema/primitives.ts";
import * as Crdt from "../../lib/store/crdt/crdt.ts";
import type { DocumentDataRef, DocumentRef } from "../../lib/store/refs.ts";

export const crdtDelete = endpoint({
  name: "crdt-delete",
  path: "/v2/crdt/delete",
  summary: "Delete editors",
  description: "Delete collaborative editors of a document with their content. An unknown editor is no error.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  events: ["crdt.delete"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: OrganizationId,
    documentId: DocumentId,
    editorIds: ids().check(z.describe("The editors to delete. An unknown one is no error.")),
  }),
  example: { organizationId: "acme", documentId: "plan", editorIds: ["notes"] },
  reply: z.record(z.string(), ItemResult),
  message: "Editors deleted.",
  timeoutSeconds: 25,

  async handle({ data, caller: { workspace } }) {
    const { organizationId, documentId } = data;
    const document = { workspace, organizationId, documentId };
    const { documentUid } = await existingDocument(document);
    const editorIds = distinct(data.editorIds);
    const removed = await removeEditors({ ...document, documentUid }, editorIds);
    return byId(editorIds.map((id) => [id, done(id, removed.has(id) ? "Deleted." : "The editor does not exist.")]));
  },
});
export const handler = lambda(crdtDelete);

/** Deletes editors, and starts the purge of their content. Returns the ids of the editors that existed. */
async function removeEditors(
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
    // A merge has changed the other editors since they were read.
    return outcome.every(Boolean) ? undefined : conflict;
  });
  return removed;
}

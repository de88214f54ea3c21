// Deletes documents (DECISIONS.md#deletion): they are gone for every reader at once, and a job deletes their data.
import { purgeJob } from "../deletion/purge-job.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Document from "../store/content/document.ts";
import { documentDataPartition, type OrganizationRef } from "../store/refs.ts";

/**
 * Deletes these documents as they are now, if `isDue` is true for them. Returns the ids of the documents that it
 * deleted. The other documents were deleted before, had got another id, or were no longer due.
 */
export async function deleteDocuments(
  organization: OrganizationRef,
  documents: readonly Document.Document[],
  isDue: (document: Document.Document) => boolean = () => true,
): Promise<Set<string>> {
  const { workspace, organizationId } = organization;
  const deleted = new Set<string>();
  let rest = documents;
  return retryOnConflict("documents", async () => {
    const units = rest.map((document) => ({ document, writes: Document.removal(organization, document) }));
    const isDeleted = await commitEach(units, (group) => ({
      jobs: [
        purgeJob(
          workspace,
          group.map(({ document }) => documentDataPartition({ workspace, ...document })),
        ),
      ],
      events: group.map(({ document: { documentId } }) => ({
        type: "document.delete",
        workspace,
        organizationId,
        documentId,
        data: { documentId },
      })),
    }));
    for (const [index, { document }] of units.entries()) if (isDeleted[index]) deleted.add(document.documentId);
    const failed = rest.filter(({ documentId }) => !deleted.has(documentId));
    const now = await Document.getMany(
      organization,
      failed.map(({ documentId }) => documentId),
    );
    // A document with another internal id was added again since.
    rest = now
      .filter((each) => each !== undefined)
      .filter(({ documentUid }) => failed.some((each) => each.documentUid === documentUid))
      .filter(isDue);
    return rest.length === 0 ? deleted : conflict;
  });
}

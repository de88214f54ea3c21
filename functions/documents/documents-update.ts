import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { type Placement, placements, requireOrganization } from "../../lib/content/existing.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import type { Write } from "../../lib/dynamodb/write.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { DocumentUpdate, metadataBytesMax } from "../../lib/schema/document.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, distinctBy, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, listOf } from "../../lib/schema/primitives.ts";
import { withFields } from "../../lib/schema/with-fields.ts";
import { storedAncestors } from "../../lib/store/content/ancestors.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as DocumentMetadata from "../../lib/store/content/document-metadata.ts";
import type { OrganizationRef } from "../../lib/store/refs.ts";

const refusals = {
  "nothing-to-update": "Give documentName, accessType, folderId or metadata.",
  "not-found": "The document does not exist.",
  "metadata-too-large": "The metadata would have more than 8,192 bytes as JSON.",
  "folder-not-found": "The folder does not exist.",
  "being-deleted": "The folder is being deleted.",
};

export const documentsUpdate = endpoint({
  name: "documents-update",
  path: "/v2/organizations/documents/update",
  summary: "Update documents",
  description:
    "Update the names, access types and metadata of documents, and move documents between folders. Omitted fields keep their values.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["document.update"],
  data: z.object({
    organizationId: OrganizationId,
    documents: listOf(DocumentUpdate).check(
      z.describe("The changes, one for each document. Omitted fields keep their values."),
    ),
  }),
  example: { organizationId: "acme", documents: [{ documentId: "plan", metadata: { status: "draft" } }] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Documents updated.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const updates = distinctBy(data.documents, (document) => document.documentId);
    const refused = await updateDocuments({ workspace, organizationId }, updates);
    return byId(
      updates.map(({ documentId: id }) => {
        const code = refused.get(id);
        return [id, code ? failed(id, code, refusals[code]) : done(id, "Document updated.")];
      }),
    );
  },
});
export const handler = lambda(documentsUpdate);

type Refusal = keyof typeof refusals;

/**
 * Updates documents, each named once, and moves them between folders. The condition of each write is that the document
 * has not changed since it was read. Otherwise the change is decided again. Returns why some were refused, by id. An
 * update that changes nothing writes nothing.
 */
async function updateDocuments(
  organization: OrganizationRef,
  updates: readonly DocumentUpdate[],
): Promise<Map<string, Refusal>> {
  const refused = new Map<string, Refusal>();
  let rest = updates;
  return retryOnConflict("documents", async () => {
    const ids = rest.map(({ documentId }) => documentId);
    const [documents, targets] = await Promise.all([
      Document.getMany(organization, ids),
      placements(organization, distinct(rest.flatMap(({ folderId }) => folderId ?? []))),
      requireOrganization(organization),
    ]);
    const texts = await DocumentMetadata.textsOf(
      organization,
      documents.filter((_, index) => rest[index]?.metadata !== undefined),
    );
    const units = rest.flatMap((update, index) => {
      const document = documents[index];
      const before = document && texts.get(document.documentUid);
      const changed = changedBy(update, document, targets, before);
      if (typeof changed === "string") refused.set(update.documentId, changed);
      if (typeof changed === "string" || !document) return [];
      const writes = writesOf(organization, document, changed, before);
      return writes.length === 0 ? [] : [{ update, changed: changed.document, writes }];
    });
    const written = await commitEach(units, (group) => ({
      events: group.map(({ changed }) => documentUpdated(organization, changed)),
    }));
    rest = units.filter((_, index) => !written[index]).map(({ update }) => update);
    return rest.length === 0 ? refused : conflict;
  });
}

interface Changed {
  document: Document.Document;
  /** The metadata, if the update names it. */
  metadata?: { text: string | undefined };
}

/** The document after the update, or why it is refused. `before`: the stored metadata, if the update names it. */
function changedBy(
  { documentName, accessType, folderId, metadata }: DocumentUpdate,
  document: Document.Document | undefined,
  targets: ReadonlyMap<string, Placement>,
  before: string | undefined,
): Changed | Refusal {
  if ([documentName, accessType, folderId, metadata].every((value) => value === undefined)) return "nothing-to-update";
  if (!document) return "not-found";
  const place = placeOf(document, folderId, targets);
  if (typeof place === "string") return place;
  const fields = withFields(place, { documentName, accessType });
  if (metadata === undefined) return { document: fields };
  const text = DocumentMetadata.changedText(before, metadata);
  if (Buffer.byteLength(text ?? "") > metadataBytesMax) return "metadata-too-large";
  return { document: withFields(fields, { hasMetadata: text === undefined ? null : true }), metadata: { text } };
}

/** The document in the folder that the update names, or why it cannot be there. */
function placeOf(
  document: Document.Document,
  folderId: string | null | undefined,
  targets: ReadonlyMap<string, Placement>,
): Document.Document | Exclude<Placement, object> {
  const [parentId] = document.ancestors;
  if (folderId === undefined || (folderId ?? undefined) === parentId) return document;
  const target = folderId === null ? [] : (targets.get(folderId) as Placement);
  if (typeof target === "string") return target;
  const { ancestorUids: _, ...elsewhere } = document;
  return { ...elsewhere, ...storedAncestors(target) };
}

/** None if nothing changes. */
function writesOf(
  organization: OrganizationRef,
  stored: Document.Document,
  { document, metadata }: Changed,
  before: string | undefined,
): Write[] {
  const ref = { workspace: organization.workspace, documentUid: stored.documentUid };
  const isNew = metadata !== undefined && metadata.text !== before;
  if (!isNew && isDeepStrictEqual(document, stored)) return [];
  const replaced = isNew ? [DocumentMetadata.replacement(ref, before, metadata.text)] : [];
  return [...Document.change(organization, stored, document), ...replaced];
}

function documentUpdated(
  { workspace, organizationId }: OrganizationRef,
  { documentId, documentName, accessType, ancestors: [folderId] }: Document.Document,
) {
  const data = { documentId, documentName, accessType, folderId };
  return { type: "document.update" as const, workspace, organizationId, documentId, data };
}

// Updates documents and moves them between folders. Each write is conditional on the document that was read, and is
// decided again when another call has changed it.
import { isDeepStrictEqual } from "node:util";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import { commitEach } from "../jobs/commit.ts";
import type { DocumentUpdate } from "../schema/document.ts";
import { distinct } from "../schema/primitives.ts";
import { storedAncestors } from "../store/content/ancestors.ts";
import * as Document from "../store/content/document.ts";
import * as DocumentMetadata from "../store/content/document-metadata.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { changedText } from "./document-metadata.ts";
import { type Placement, placements } from "./going-folders.ts";
import { requireOrganization } from "./require-organization.ts";
import { withFields } from "./with-fields.ts";

export type Refusal = "nothing-to-update" | "not-found" | "metadata-too-large" | "folder-not-found" | "being-deleted";

/**
 * Updates documents, each named once. Returns why some were refused, by id. An update that changes nothing writes
 * nothing.
 */
export async function updateDocuments(
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
  const { text, isTooLarge } = changedText(before, metadata);
  if (isTooLarge) return "metadata-too-large";
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

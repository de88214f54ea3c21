// Updates documents and moves them between folders. Each write is conditional on the document that was read, and is
// decided again when another call has changed it.
import { isDeepStrictEqual } from "node:util";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commitEach } from "../jobs/commit.ts";
import type { DocumentUpdate } from "../schema/document.ts";
import { distinct } from "../schema/primitives.ts";
import { storedAncestors } from "../store/ancestors.ts";
import * as Document from "../store/document.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { type Placement, placements } from "./going-folders.ts";
import { requireOrganization } from "./require-organization.ts";
import { withFields } from "./with-fields.ts";

export type Refusal = "nothing-to-update" | "not-found" | "folder-not-found" | "being-deleted";

/** Updates documents, each named once. Returns why some were refused, by id. An update that changes nothing writes nothing. */
export async function updateDocuments(
  organization: OrganizationRef,
  updates: readonly DocumentUpdate[],
): Promise<Map<string, Refusal>> {
  const refused = new Map<string, Refusal>();
  let rest = updates;
  return retryOnConflict("documents", async () => {
    const [documents, targets] = await Promise.all([
      Document.getMany(
        organization,
        rest.map(({ documentId }) => documentId),
      ),
      placements(organization, distinct(rest.flatMap(({ folderId }) => folderId ?? []))),
      requireOrganization(organization),
    ]);
    const units = rest.flatMap((update, index) => {
      const document = documents[index];
      const changed = changedBy(update, document, targets);
      if (typeof changed === "string") refused.set(update.documentId, changed);
      if (typeof changed === "string" || !document || isDeepStrictEqual(changed, document)) return [];
      return [{ update, changed, writes: Document.change(organization, document, changed) }];
    });
    const written = await commitEach(units, (group) => ({
      events: group.map(({ changed }) => documentUpdated(organization, changed)),
    }));
    rest = units.filter((_, index) => !written[index]).map(({ update }) => update);
    return rest.length === 0 ? refused : conflict;
  });
}

/** The document after the update, or why it is refused. */
function changedBy(
  { documentName, accessType, folderId }: DocumentUpdate,
  document: Document.Document | undefined,
  targets: ReadonlyMap<string, Placement>,
): Document.Document | Refusal {
  if ([documentName, accessType, folderId].every((value) => value === undefined)) return "nothing-to-update";
  if (!document) return "not-found";
  const changed = withFields(document, { documentName, accessType });
  const [parentId] = document.ancestors;
  if (folderId === undefined || (folderId ?? undefined) === parentId) return changed;
  const target = folderId === null ? [] : (targets.get(folderId) as Placement);
  if (typeof target === "string") return target;
  const { ancestorUids: _, ...elsewhere } = changed;
  return { ...elsewhere, ...storedAncestors(target) };
}

function documentUpdated(
  { workspace, organizationId }: OrganizationRef,
  { documentId, documentName, accessType, ancestors: [folderId] }: Document.Document,
) {
  const data = { documentId, documentName, accessType, folderId };
  return { type: "document.update" as const, workspace, organizationId, documentId, data };
}

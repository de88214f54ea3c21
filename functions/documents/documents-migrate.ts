import * as z from "zod/mini";
import { goingFolders, requireOrganization } from "../../lib/content/existing.ts";
import { ApiError, notFound } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { newId } from "../../lib/new-id.ts";
import { DocumentId, MigrationId, NewDocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import { ancestorsOf } from "../../lib/store/content/ancestors.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as Migration from "../../lib/store/content/migration.ts";
import { newJob } from "../../lib/store/job.ts";

export const documentsMigrate = endpoint({
  name: "documents-migrate",
  path: "/v2/organizations/documents/migrate",
  summary: "Migrate a document",
  description: "Move a document with all its data to a new id, in the background.",
  grants: ["table:read", "table:write", "queue:migrate"],
  errors: ["NOT_FOUND", "ALREADY_EXISTS", "ABORTED"],
  data: z.object({ organizationId: OrganizationId, documentId: DocumentId, newDocumentId: NewDocumentId }).check(
    z.refine(({ documentId, newDocumentId }) => documentId !== newDocumentId, {
      error: "Must differ from documentId.",
      path: ["newDocumentId"],
      when: whenValid("documentId", "newDocumentId"),
    }),
  ),
  example: { organizationId: "acme", documentId: "notes-1", newDocumentId: "notes" },
  reply: z.object({ migrationId: MigrationId }),
  message: "Migration accepted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, documentId, newDocumentId } = data;
    const organization = { workspace, organizationId };
    const migrationId = newId();
    const [[document, other], existing] = await Promise.all([
      Document.getMany(organization, [documentId, newDocumentId]),
      Migration.get({ ...organization, migrationId }),
      requireOrganization(organization),
    ]);
    // With an Idempotency-Key, an earlier try of this call may have created it.
    if (existing) return { migrationId };
    if (!document) throw notFound("document");
    if (other) throw new ApiError("ALREADY_EXISTS", "A document with the new id already exists.");
    const path = ancestorsOf(document);
    const isGoing = await goingFolders(organization, path);
    if (isGoing(path)) throw new ApiError("ABORTED", "A folder above the document is being deleted.");
    const { documentUid } = document;
    const migration = Migration.creation({ ...organization, migrationId }, { documentId, newDocumentId, documentUid });
    const job = newJob("migrate", workspace, { organizationId, migrationId });
    await commit([migration], { jobs: [job] });
    return { migrationId };
  },
});
export const handler = lambda(documentsMigrate);

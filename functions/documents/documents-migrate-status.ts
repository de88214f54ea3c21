import * as z from "zod/mini";
import { notFound } from "../../lib/errors.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { MigrationId, OrganizationId } from "../../lib/schema/fields.ts";
import * as Migration from "../../lib/store/content/migration.ts";

export const documentsMigrateStatus = endpoint({
  name: "documents-migrate-status",
  path: "/v2/organizations/documents/migrate/status",
  contract: 26,
  summary: "Get the status of a migration",
  description: "Get the status of a document's migration to a new id.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: OrganizationId, migrationId: MigrationId }),
  reply: z.object({
    migrationId: MigrationId,
    status: z
      .enum(Migration.migrationStatuses)
      .check(
        z.describe("pending: calls find only the old id. completed: only the new id. in_progress: one of the two."),
      ),
    reason: z
      .optional(z.string())
      .check(z.describe("Why the migration failed. It has changed nothing. Absent in other states.")),
  }),
  message: "Migration status retrieved.",

  async handle({ data: { organizationId, migrationId }, caller: { workspace } }) {
    const migration = await Migration.get({ workspace, organizationId, migrationId });
    if (!migration) throw notFound("migration");
    const { status, reason } = migration;
    return { migrationId, status, reason };
  },
});
export const handler = readLambda(documentsMigrateStatus);

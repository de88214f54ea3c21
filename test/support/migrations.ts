// Fixtures of the tests of migrations: a workspace whose documents are in the folder `f` of the organization `o`.
import { expect } from "vitest";
import * as Table from "../../lib/dynamodb/table.ts";
import { commit } from "../../lib/jobs/commit.ts";
import * as Grant from "../../lib/store/access/grant.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as Migration from "../../lib/store/content/migration.ts";
import type { DocumentUid } from "../../lib/store/refs.ts";
import { storeJob } from "./run-worker.ts";

export const organizationId = "o";
const [createdAt, ancestors] = ["2026-01-01T00:00:00.000Z", ["f"]];

export type Migrations = ReturnType<typeof newMigrations>;

export function newMigrations(workspace = `migrate-${crypto.randomUUID()}`) {
  const organization = { workspace, organizationId };
  const dataOf = (documentUid: DocumentUid) => ({ workspace, documentUid });
  const pointers = (...ids: string[]) => Document.pointers(organization, ids);
  /** By job: a job that is done does not keep its payload. */
  const migrationIds = new Map<string, string>();

  return {
    workspace,
    organization,
    dataOf,
    pointers,

    /** The internal ids of these documents, in their order. */
    uidsOf: async (...ids: string[]) => (await pointers(...ids)).map((each) => each?.documentUid),

    async addDocument(documentId: string, uid: string): Promise<void> {
      const document = { documentId, documentUid: uid as DocumentUid, documentName: "D", ancestors, createdAt };
      expect(await commit(Document.creation(organization, document, undefined))).toBe(true);
    },

    async removeDocument(documentId: string, documentUid: DocumentUid): Promise<void> {
      const [stored] = await pointers(documentId);
      const document = { documentId, documentUid, ancestors, createdAt };
      await commit(Document.removal(organization, { ...document, ...(stored as Document.Document | undefined) }));
    },

    /** Accepts a migration as the endpoint does. Returns the job's id. */
    async accept(documentId: string, newDocumentId: string, uid: string): Promise<string> {
      const migrationId = `${documentId}-${newDocumentId}-${uid}`;
      const ids = { documentId, newDocumentId, documentUid: uid as DocumentUid };
      await commit([Migration.creation({ ...organization, migrationId }, ids)]);
      const job = await storeJob("migrate", workspace, { organizationId, migrationId });
      migrationIds.set(job, migrationId);
      return job;
    },

    migrationOf: (job: string) => Migration.get({ ...organization, migrationId: String(migrationIds.get(job)) }),

    give: (documentUid: DocumentUid, userId: string, more: Partial<Grant.StoredGrant> = {}) =>
      commit([Grant.onDocument(dataOf(documentUid), { userId, generation: 0, accessRole: "editor", ...more })]),

    /** The role of each user who has a grant. */
    grantsOf: async (documentUid: DocumentUid) => {
      const range = Grant.documentGrantEntity.range(dataOf(documentUid));
      const found = (await Array.fromAsync(Table.all<Grant.StoredGrant>(range))).flat();
      return Object.fromEntries(found.map(({ userId, accessRole }) => [userId, accessRole]));
    },
  };
}

import * as z from "zod/mini";
import { purgeJob } from "../../lib/deletion/purge-job.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { type FoundDocument, findDocument } from "../../lib/features/find-document.ts";
import { verifyRepeatedCredentials } from "../../lib/http/auth.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { DocumentId } from "../../lib/schema/fields.ts";
import { identityOf, Location } from "../../lib/schema/location.ts";
import { Id, optional } from "../../lib/schema/primitives.ts";
import { repeatedCredentials } from "../../lib/schema/repeated-credentials.ts";
import * as LocationStore from "../../lib/store/content/location.ts";
import * as LocationChanges from "../../lib/store/content/location-changes.ts";

export const locationsDataDelete = endpoint({
  name: "locations-data-delete",
  path: "/v1/organizations/documents/locations/data/delete",
  contract: 6,
  summary: "Delete a location",
  description: "Delete a location of a document with all feature data in it.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  events: ["location.data_delete"],
  data: z.object({
    ...repeatedCredentials,
    organizationId: optional(Id).check(
      z.describe(
        "The organization. Absent: the only one that has a document of this id; it must be given if several have.",
      ),
    ),
    documentId: DocumentId,
    location: Location.check(
      z.describe("The location to delete. Only its identity counts: `id`, or else `locationName`."),
    ),
  }),
  example: {
    apiKey: "{apiKey}",
    authToken: "{authToken}",
    organizationId: "acme",
    documentId: "plan",
    location: { id: "appendix" },
  },
  reply: z.null(),
  timeoutSeconds: 25,
  message: "Location data deleted.",

  async handle({ data, caller, say }) {
    await verifyRepeatedCredentials(caller.ref, data, "write");
    const document = await findDocument(caller.ref, data);
    if (!document) say("The document does not exist: nothing was deleted.");
    else if (!(await removeLocation(document, data.location))) say("The location does not exist: nothing was deleted.");
    return null;
  },
});
export const handler = lambda(locationsDataDelete);

/** Deletes a location: readers no longer see it, and a purge deletes its data. Returns false if there is none. */
async function removeLocation(document: FoundDocument, location: Location): Promise<boolean> {
  const { workspace, organizationId, documentId } = document;
  const identity = identityOf(location);
  const event = { type: "location.data_delete" as const, workspace, organizationId, documentId, data: { location } };
  return retryOnConflict("location", async () => {
    const pointer = await LocationStore.pointer(document, identity);
    if (!pointer) return false;
    const partition = LocationStore.locationDataPartition({ ...document, locationUid: pointer.locationUid });
    const jobs = [purgeJob(workspace, [partition])];
    const writes = LocationChanges.removal(document, identity, pointer);
    return (await commit(writes, { jobs, events: [event] })) || conflict;
  });
}

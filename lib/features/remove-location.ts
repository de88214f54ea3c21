// Deletes a location. Readers no longer see it from then on, and a purge deletes its data.
import { purgeJob } from "../deletion/purge-job.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commit } from "../jobs/commit.ts";
import { identityOf, type Location } from "../schema/location.ts";
import * as LocationStore from "../store/content/location.ts";
import * as LocationChanges from "../store/content/location-changes.ts";
import type { FoundDocument } from "./find-document.ts";

/** Does nothing if there is no such location. */
export async function removeLocation(document: FoundDocument, location: Location): Promise<void> {
  const { workspace, organizationId, documentId } = document;
  const identity = identityOf(location);
  const event = { type: "location.data_delete" as const, workspace, organizationId, documentId, data: { location } };
  await retryOnConflict("location", async () => {
    const pointer = await LocationStore.pointer(document, identity);
    if (!pointer) return;
    const partition = LocationStore.locationDataPartition({ ...document, locationUid: pointer.locationUid });
    const jobs = [purgeJob(workspace, [partition])];
    const writes = LocationChanges.removal(document, identity, pointer);
    return (await commit(writes, { jobs, events: [event] })) ? undefined : conflict;
  });
}

// Deletes a location: it is gone for every reader at once, and what is kept under it goes to the purge.

import { purgeJob } from "../deletion/purge.ts";
import * as Table from "../dynamodb/table.ts";
import { ApiError } from "../errors.ts";
import { identityOf, type Location } from "../schema/location.ts";
import { dataKeys } from "../store/data-keys.ts";
import * as LocationStore from "../store/location.ts";
import type { FoundDocument } from "./find-document.ts";

/** A round is lost only to a rename or a merge of the same location. */
const roundsMax = 10;

/** Nothing happens where there is no such location. */
export async function removeLocation(document: FoundDocument, location: Location): Promise<void> {
  const { workspace, organizationId, documentId, uid } = document;
  const identity = identityOf(location);
  for (let round = 0; round < roundsMax; round++) {
    const pointer = await LocationStore.pointer(workspace, uid, identity);
    if (!pointer) return;
    const jobs = [purgeJob(workspace, [dataKeys.locationData(workspace, uid, pointer.luid)])];
    const event = {
      type: "location.data_delete" as const,
      workspace,
      organizationId,
      documentId,
      data: { location },
    };
    const writes = LocationStore.removal([workspace, uid], identity, pointer);
    if (await Table.commit(writes, { jobs, events: [event] })) return;
  }
  throw new ApiError("UNAVAILABLE", "The location is being changed. Try again.");
}

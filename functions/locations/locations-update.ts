import * as z from "zod/mini";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import type { Write } from "../../lib/dynamodb/write.ts";
import { ApiError, beyondLimit, invalidField } from "../../lib/errors.ts";
import { type FoundDocument, requireDocument } from "../../lib/features/find-document.ts";
import { verifyRepeatedCredentials } from "../../lib/http/auth.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { DocumentId } from "../../lib/schema/fields.ts";
import { asStored, identityOf, isTooLarge, Location } from "../../lib/schema/location.ts";
import { mustBeObject } from "../../lib/schema/messages.ts";
import { Flag, Id, optional } from "../../lib/schema/primitives.ts";
import { repeatedCredentials } from "../../lib/schema/repeated-credentials.ts";
import * as LocationStore from "../../lib/store/content/location.ts";
import * as LocationChanges from "../../lib/store/content/location-changes.ts";

export const locationsUpdate = endpoint({
  name: "locations-update",
  path: "/v1/organizations/documents/locations/update",
  contract: 5,
  summary: "Update a location",
  description: "Update a location of a document: its fields or its identity, or merge it into another location.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["location.update"],
  errors: ["NOT_FOUND", "ALREADY_EXISTS"],
  data: z.object({
    ...repeatedCredentials,
    organizationId: optional(Id).check(
      z.describe(
        "The organization. Absent: the only one that has a document of this id; it must be given if several have.",
      ),
    ),
    documentId: DocumentId,
    migrate: z
      .object(
        {
          oldLocation: Location.check(
            z.describe("The location to change. Only its identity counts: `id`, or else `locationName`."),
          ),
          newLocation: Location.check(z.describe("The location as it becomes, with all its fields.")),
        },
        mustBeObject,
      )
      .check(z.describe("What to change.")),
    merge: optional(
      Flag.check(
        z.describe(
          "true: stored fields that newLocation lacks are kept; a location that already has the new identity " +
            "receives the old one's data. false: newLocation replaces all fields; a taken identity is ALREADY_EXISTS.",
        ),
      ),
    ),
  }),
  example: {
    apiKey: "{apiKey}",
    authToken: "{authToken}",
    organizationId: "acme",
    documentId: "plan",
    migrate: { oldLocation: { id: "page-1" }, newLocation: { id: "page-2", locationName: "Goals" } },
    merge: false,
  },
  reply: z.null(),
  timeoutSeconds: 25,
  message: "Location updated.",

  async handle({ data, caller }) {
    await verifyRepeatedCredentials(caller.ref, data, "write");
    const { migrate, merge = false } = data;
    const document = await requireDocument(caller.ref, data);
    await updateLocation(document, asStored(migrate.oldLocation), asStored(migrate.newLocation), merge);
    return null;
  },
});
export const handler = lambda(locationsUpdate);

/** Most locations that are merged into one. A call that adds data looks for each of its items in all of them. */
const mergedMax = 500;

/**
 * Changes the fields or the identity of a location, or merges it into another one (DECISIONS.md#location-identity).
 * Throws ALREADY_EXISTS if another location has the new identity and `merge` is false.
 */
async function updateLocation(
  document: FoundDocument,
  oldLocation: Location,
  newLocation: Location,
  merge: boolean,
): Promise<void> {
  const { workspace, organizationId, documentId } = document;
  const oldIdentity = identityOf(oldLocation);
  // With `merge`, fields that the new object lacks are kept, an `id` included.
  const identity = identityOf(merge ? { ...oldLocation, ...newLocation } : newLocation);
  const identities = identity === oldIdentity ? [identity] : [oldIdentity, identity];
  await retryOnConflict("location", async () => {
    const [old, target] = await LocationStore.getMany(document, identities);
    if (target && !merge) throw new ApiError("ALREADY_EXISTS", "The new location exists already.");
    if (old && target && old.size + target.size > mergedMax) {
      throw beyondLimit(`At most ${mergedMax} locations can be merged into one.`);
    }
    const base = target?.location ?? old?.location ?? oldLocation;
    const location = merge ? { ...base, ...newLocation } : newLocation;
    if (isTooLarge(location)) throw invalidField(["migrate", "newLocation"], "Is over 16,384 bytes after the merge.");
    const data = { oldLocation: old?.location ?? oldLocation, newLocation: location };
    const event = { type: "location.update" as const, workspace, organizationId, documentId, data };
    return (await commit(writesFor(old, target, location), { events: [event] })) ? undefined : conflict;
  });

  function writesFor(
    old: LocationStore.StoredLocation | undefined,
    target: LocationStore.StoredLocation | undefined,
    location: Location,
  ): Write[] {
    if (old && target) return LocationChanges.merging(document, old, target, location);
    if (target) return LocationChanges.rewriting(document, target, location);
    if (!old) return LocationChanges.creation(document, identity, location).writes;
    if (identity === oldIdentity) return LocationChanges.rewriting(document, old, location);
    return LocationChanges.renaming(document, old, identity, location);
  }
}

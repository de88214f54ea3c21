import * as z from "zod/mini";
import { notFound } from "../../lib/errors.ts";
import { findDocument } from "../../lib/features/find-document.ts";
import { updateLocation } from "../../lib/features/update-location.ts";
import { verifyRepeatedCredentials } from "../../lib/http/auth.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { asStored, Location } from "../../lib/schema/location.ts";
import { mustBeObject } from "../../lib/schema/messages.ts";
import { Flag, Id, optional } from "../../lib/schema/primitives.ts";
import { repeatedCredentials } from "../../lib/schema/repeated-credentials.ts";

export const locationsUpdate = endpoint({
  name: "locations-update",
  path: "/v1/organizations/documents/locations/update",
  group: "content",
  contract: 5,
  summary: "Update a location",
  description: "Update a location of a document: its fields or its identity, or merge it into another location.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["location.update"],
  errors: ["NOT_FOUND", "ALREADY_EXISTS"],
  data: z.object({
    ...repeatedCredentials,
    organizationId: optional(Id),
    documentId: Id,
    migrate: z.object({ oldLocation: Location, newLocation: Location }, mustBeObject),
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
    await verifyRepeatedCredentials(caller, data, "write");
    const { migrate, merge = false } = data;
    const document = await findDocument(caller, data);
    if (!document) throw notFound("document");
    const { oldLocation, newLocation } = migrate;
    await updateLocation(document, {
      oldLocation: asStored(oldLocation),
      newLocation: asStored(newLocation),
      merge,
    });
    return null;
  },
});
export const handler = lambda(locationsUpdate);

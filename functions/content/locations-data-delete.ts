import * as z from "zod/mini";
import { findDocument } from "../../lib/features/find-document.ts";
import { removeLocation } from "../../lib/features/remove-location.ts";
import { verifyRepeatedCredentials } from "../../lib/http/auth.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { Location } from "../../lib/schema/location.ts";
import { Id, optional } from "../../lib/schema/primitives.ts";
import { repeatedCredentials } from "../../lib/schema/repeated-credentials.ts";

export const locationsDataDelete = endpoint({
  name: "locations-data-delete",
  path: "/v1/organizations/documents/locations/data/delete",
  group: "content",
  contract: 6,
  summary: "Delete a location",
  description: "Delete a location of a document with all feature data in it.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  events: ["location.data_delete"],
  data: z.object({
    ...repeatedCredentials,
    organizationId: optional(Id),
    documentId: Id,
    location: Location,
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

  async handle({ data, caller }) {
    await verifyRepeatedCredentials(caller, data, "write");
    const document = await findDocument(caller, data);
    if (document) await removeLocation(document, data.location);
    return null;
  },
});
export const handler = lambda(locationsDataDelete);

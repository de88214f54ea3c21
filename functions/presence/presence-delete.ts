import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { leave } from "../../lib/content/presence.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { AlwaysTrue, distinct, ids } from "../../lib/schema/primitives.ts";

export const presenceDelete = endpoint({
  name: "presence-delete",
  path: "/v2/presence/delete",
  contract: 12,
  summary: "End presence",
  description: "End the presence of users on a document. A user who is not present is no error.",
  users: "view",
  grants: ["table:read", "table:write", "table:delete", "table:batch"],
  events: ["presence.delete"],
  data: z.object({
    organizationId: OrganizationId,
    documentId: DocumentId,
    userIds: actor(ids().check(z.describe("The users who leave. A user who is not present is no error."))),
  }),
  example: { organizationId: "acme", documentId: "plan", userIds: ["bob"] },
  reply: z.object({ success: AlwaysTrue }),
  timeoutSeconds: 25,
  message: "Presence deleted.",

  async handle({ data, caller: { workspace }, say }) {
    const { organizationId, documentId, userIds } = data;
    const exists = await leave({ workspace, organizationId, documentId }, distinct(userIds));
    if (!exists) say("The document does not exist: nobody is present on it.");
    return { success: true as const };
  },
});
export const handler = lambda(presenceDelete, forUsers);

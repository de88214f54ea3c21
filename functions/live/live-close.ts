import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { leave } from "../../lib/content/presence.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { DocumentId, OrganizationId, UserId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { AlwaysTrue } from "../../lib/schema/primitives.ts";

export const liveClose = endpoint({
  name: "live-close",
  path: "/v2/live/close",
  summary: "Close live messages",
  description:
    "End the presence of a user whose page closes. The ticket ends by itself. A user who is not present is no error.",
  needs: ["live"],
  users: "view",
  grants: ["table:read", "table:write", "table:delete", "table:batch"],
  events: ["presence.delete"],
  data: z.object({ organizationId: OrganizationId, documentId: DocumentId, userId: actor(UserId) }),
  example: { organizationId: "acme", documentId: "plan", userId: "bob" },
  reply: z.object({ success: AlwaysTrue }),
  message: "Live messages closed.",
  timeoutSeconds: 25,

  async handle({ data: { organizationId, documentId, userId }, caller: { workspace } }) {
    await leave({ workspace, organizationId, documentId }, [userId]);
    return { success: true as const };
  },
});
export const handler = lambda(liveClose, forUsers);

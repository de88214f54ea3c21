import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { deleteAll } from "../../lib/dynamodb/batch-write.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { isWanted } from "../../lib/jobs/outbox.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { AlwaysTrue, distinct, ids } from "../../lib/schema/primitives.ts";
import * as Document from "../../lib/store/content/document.ts";
import { presenceEntity, presentAmong } from "../../lib/store/presence.ts";

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
    const { organizationId, documentId } = data;
    const userIds = distinct(data.userIds);
    const document = await Document.get({ workspace, organizationId, documentId });
    if (!document) {
      say("The document does not exist: nobody is present on it.");
      return { success: true as const };
    }
    const { documentUid } = document;
    const ref = { workspace, organizationId, documentUid };
    if (!(await isWanted("presence.delete"))) {
      await deleteAll(userIds.map((userId) => presenceEntity.key({ ...ref, userId })));
      return { success: true as const };
    }
    // The event names the users who are deleted, in the transaction of the deletions. The other users are not present.
    // A user who was added since the read stays present, because the event would not name the user.
    const present = await presentAmong(ref, userIds);
    const units = [...present].map((userId) => ({
      userId,
      writes: [presenceEntity.delete({ ...ref, userId }, "present")],
    }));
    await commitEach(units, (deleted) => {
      const data = { userIds: deleted.map(({ userId }) => userId) };
      return { events: [{ type: "presence.delete", workspace, organizationId, documentId, data }] };
    });
    return { success: true as const };
  },
});
export const handler = lambda(presenceDelete, forUsers);

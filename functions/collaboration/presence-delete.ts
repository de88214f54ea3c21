import * as z from "zod/mini";
import * as Table from "../../lib/dynamodb/table.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { removeAll } from "../../lib/jobs/commit.ts";
import { isWanted } from "../../lib/jobs/outbox.ts";
import { distinct, Id, ids } from "../../lib/schema/primitives.ts";
import * as Document from "../../lib/store/document.ts";
import * as Presence from "../../lib/store/presence.ts";

export const presenceDelete = endpoint({
  name: "presence-delete",
  path: "/v2/presence/delete",
  group: "collaboration",
  contract: 12,
  summary: "Say that users are no longer on a document; whoever was not there is no error.",
  grants: ["table:read", "table:write", "table:delete", "table:batch"],
  events: ["presence.delete"],
  data: z.object({ organizationId: Id, documentId: Id, userIds: ids() }),
  example: { organizationId: "acme", documentId: "plan", userIds: ["alice", "bob"] },
  reply: z.object({ success: z.literal(true) }),
  timeoutSeconds: 25,
  message: "Presence deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, documentId } = data;
    const userIds = distinct(data.userIds);
    const [document] = await Document.getMany(workspace, organizationId, [documentId]);
    if (!document) return { success: true as const };
    const { uid } = document;
    // Only where the event of leaving is wanted does it matter who was there: they go together with it.
    const wanted = await isWanted("presence.delete");
    const present = wanted ? await Presence.presentAmong(workspace, uid, userIds) : new Set<string>();
    const key = (userId: string) => Presence.keyOf(workspace, uid, userId);
    const units = [...present].map((userId) => ({
      userId,
      writes: [{ delete: key(userId), if: "present" as const }],
    }));
    await Table.commitEach(units, (left) => {
      const data = { userIds: left.map(({ userId }) => userId) };
      return { events: [{ type: "presence.delete", workspace, organizationId, documentId, data }] };
    });
    await removeAll(userIds.filter((userId) => !present.has(userId)).map(key));
    return { success: true as const };
  },
});
export const handler = lambda(presenceDelete);

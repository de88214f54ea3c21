import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { existingDocument } from "../../lib/content/existing.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { isWanted } from "../../lib/jobs/outbox.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { distinctBy } from "../../lib/schema/item-result.ts";
import { LifetimeSeconds, lifetimeSecondsMax, PresentUser } from "../../lib/schema/presence.ts";
import { AlwaysTrue, listOf, optional } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/access/user.ts";
import { entering, presentAmong } from "../../lib/store/presence.ts";

export const presenceAdd = endpoint({
  name: "presence-add",
  path: "/v2/presence/add",
  summary: "Add presence",
  description: "Mark users as present on a document, or renew their presence.",
  users: "view",
  grants: ["table:read", "table:write"],
  events: ["presence.add"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: OrganizationId,
    documentId: DocumentId,
    users: actor(
      listOf(PresentUser).check(z.describe("The users who are there. A user who is there already is renewed.")),
    ),
    lifetimeSeconds: optional(LifetimeSeconds),
  }),
  example: {
    organizationId: "acme",
    documentId: "plan",
    users: [
      { userId: "alice", name: "Alice Meyer", email: "alice@example.com", metadata: { color: "teal" } },
      { userId: "bob", name: "Bob Okoro" },
    ],
    lifetimeSeconds: 60,
  },
  reply: z.object({ success: AlwaysTrue }),
  timeoutSeconds: 25,
  message: "Presence added.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, documentId, lifetimeSeconds = lifetimeSecondsMax } = data;
    const organization = { workspace, organizationId };
    const now = Date.now();
    const times = { updatedAt: new Date(now).toISOString(), ttl: Math.ceil(now / 1_000) + lifetimeSeconds };
    const wanted = await isWanted("presence.add");
    let rest = distinctBy(data.users, ({ userId }) => userId);
    await retryOnConflict("presence", async () => {
      const userIds = rest.map(({ userId }) => userId);
      const [{ documentUid }, stored] = await Promise.all([
        existingDocument({ ...organization, documentId }),
        User.getMany(organization, userIds),
      ]);
      const document = { ...organization, documentUid };
      // Clients repeat this call every few seconds, so it reads who is present only when an event needs that.
      const present = wanted ? await presentAmong(document, userIds) : new Set<string>();
      const units = rest.map(({ metadata, ...user }, index) => {
        const { userId } = user;
        const text = metadata === undefined ? undefined : JSON.stringify(metadata);
        const presence = { ...user, generation: stored[index]?.generation, metadata: text, ...times };
        return { userId, writes: [entering(document, presence, present.has(userId))] };
      });
      const isWritten = await commitEach(units, (added) => {
        const arrived = added.map(({ userId }) => userId).filter((userId) => !present.has(userId));
        if (arrived.length === 0) return {};
        const data = { userIds: arrived };
        return { events: [{ type: "presence.add", workspace, organizationId, documentId, data }] };
      });
      // These users have left since the read. The next attempt adds them, with an event.
      rest = rest.filter(({ userId }, index) => !isWritten[index] && present.has(userId));
      return rest.length === 0 ? undefined : conflict;
    });
    return { success: true as const };
  },
});
export const handler = lambda(presenceAdd, forUsers);

import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { enter } from "../../lib/content/presence.ts";
import { invalidField } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { LifetimeSeconds, lifetimeSecondsMax, PresentUser, userLifetimeSecondsMax } from "../../lib/schema/presence.ts";
import { AlwaysTrue, listOf, optional } from "../../lib/schema/primitives.ts";

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

  async handle({ data, caller: { workspace, user } }) {
    const longest = user ? userLifetimeSecondsMax : lifetimeSecondsMax;
    const { organizationId, documentId, users, lifetimeSeconds = longest } = data;
    if (lifetimeSeconds > longest) throw invalidField(["lifetimeSeconds"], `With a user's token, at most ${longest}.`);
    await enter({ workspace, organizationId, documentId }, users, lifetimeSeconds);
    return { success: true as const };
  },
});
export const handler = lambda(presenceAdd, forUsers);

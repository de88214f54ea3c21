import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { existingDocument } from "../../lib/content/existing.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { ShownPresence } from "../../lib/schema/shown-presence.ts";
import * as Presence from "../../lib/store/presence.ts";

export const presenceGet = endpoint({
  name: "presence-get",
  path: "/v2/presence/get",
  summary: "List present users",
  description: "List the users who are present on a document.",
  users: "view",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: OrganizationId,
    documentId: DocumentId,
    ...pageRequest,
  }),
  reply: z.object({
    users: z.array(ShownPresence).check(z.describe("The users of this page.")),
    ...pageReply,
  }),
  message: "Presence retrieved.",

  async handle({ data, caller }) {
    const { organizationId, documentId } = data;
    const list = listing(caller, ["presence", organizationId, documentId], data);
    const { workspace } = caller;
    const { documentUid } = await existingDocument({ workspace, organizationId, documentId });
    const page = await Presence.page({ workspace, organizationId, documentUid }, list.size, list.from);
    return { users: page.items.map(presentUser), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(presenceGet, forUsers);

function presentUser({ userId, name, email, metadata, updatedAt, ttl }: Presence.Presence) {
  const parsed = metadata === undefined ? undefined : JSON.parse(metadata);
  return { userId, name, email, metadata: parsed, updatedAt, expiresAt: ttl };
}

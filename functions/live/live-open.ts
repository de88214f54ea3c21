import * as z from "zod/mini";
import { keepAnswers } from "../../lib/access/keep-answers.ts";
import { asUsersSee, permissionsOf } from "../../lib/access/permissions-reply.ts";
import { asIfAllExisted, loadSubjects } from "../../lib/access/resolve.ts";
import { resolverOf } from "../../lib/access/resolver.ts";
import { denied } from "../../lib/browser/access.ts";
import { forUsers } from "../../lib/browser/gate.ts";
import { config } from "../../lib/config.ts";
import { listenFor, listenTo } from "../../lib/content/listen.ts";
import { enter } from "../../lib/content/presence.ts";
import { ApiError, noOrganization } from "../../lib/errors.ts";
import { type Caller, endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { keysOf } from "../../lib/live/keys.ts";
import { namesFrom, type Subject } from "../../lib/live/names.ts";
import { ticketOf } from "../../lib/live/ticket.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { PresentUser, userLifetimeSecondsMax } from "../../lib/schema/presence.ts";
import { AccessRole, optional } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/access/user.ts";

const Channel = z.object({
  now: z.string().check(z.describe("The channel until the next one takes its place.")),
  next: z.string().check(z.describe("The next channel. Subscribe to it too.")),
});

export const liveOpen = endpoint({
  name: "live-open",
  path: "/v2/live/open",
  summary: "Open live messages",
  description:
    "Get the channels on which a page of the user hears that a document or the user's notifications have changed, and the ticket to subscribe. The user is present on the document for three minutes. Call it again before the ticket ends.",
  needs: ["live"],
  settings: ["access", "permissionProvider"],
  users: "self",
  grants: ["table:read", "table:write", "table:slots", "key:unseal:permission-provider"],
  events: ["presence.add"],
  callsOut: true,
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  data: z.object({
    organizationId: OrganizationId,
    documentId: optional(DocumentId.check(z.describe("The document. Default: only the user's notifications."))),
    user: actor(PresentUser.check(z.describe("The user of the page, as others see the user in the presence."))),
  }),
  example: { organizationId: "acme", documentId: "plan", user: { userId: "bob", name: "Bob Okoro" } },
  reply: z.object({
    url: z.string().check(z.describe("The address of the WebSocket of AWS AppSync Events.")),
    host: z.string().check(z.describe("The host to name when connecting and subscribing.")),
    channels: z
      .object({
        document: optional(Channel).check(
          z.describe("Says what of the document has changed. Absent without documentId."),
        ),
        awareness: optional(Channel).check(
          z.describe("For cursors and selections, which pages send each other. Absent without documentId."),
        ),
        user: Channel.check(z.describe("Says that notifications of the user have changed.")),
      })
      .check(z.describe("The channels of the page.")),
    ticket: z.string().check(z.describe("The authorization to connect, subscribe and publish, for three minutes.")),
    renewSeconds: z.int().check(z.describe("Call again after so many seconds.")),
    seq: optional(z.int()).check(
      z.describe("The number of the last message about the document. Absent without documentId."),
    ),
    role: optional(AccessRole).check(z.describe("The user's access to the document. Absent without documentId.")),
  }),
  message: "Live messages opened.",
  timeoutSeconds: 25,

  async handle({ data, caller }) {
    const [url, httpUrl] = [config.liveRealtimeUrl(), config.liveHttpUrl()];
    if (!url || !httpUrl) throw new ApiError("FAILED_PRECONDITION", "This deployment has no live messages.");
    const { workspace } = caller;
    const { organizationId, documentId, user } = data;
    const { role, stored } = await roleOf(caller, organizationId, user.userId, documentId);
    const ref = { workspace, organizationId, userId: user.userId };
    const on = documentId === undefined ? undefined : { workspace, organizationId, documentId };
    const [document] = await Promise.all([
      on && listenTo(on),
      on && enter(on, [user], userLifetimeSecondsMax),
      listenFor(ref, stored),
    ]);
    const keys = keysOf(caller.record);
    const now = Date.now();
    const namesOf = (subject: Subject) => namesFrom(keys, subject, now);
    const names = {
      document: document ? namesOf(document) : [],
      user: namesOf({ ...ref, generation: User.generationOf(stored) }),
    };
    const { userId, name } = user;
    const ticket = ticketOf(keys, { workspace, userId, ...(name !== undefined && { name }), ...names }, now);
    const channels = {
      ...(document && { document: channel("doc", names.document), awareness: channel("aware", names.document) }),
      user: channel("user", names.user),
    };
    const { host } = new URL(httpUrl);
    return { url, host, channels, ticket, renewSeconds: 120, ...(document && { seq: document.seq, role }) };
  },
});
export const handler = lambda(liveOpen, forUsers);

const channel = (namespace: string, [now, next]: readonly string[]) => ({
  now: `/${namespace}/${now}`,
  next: `/${namespace}/${next}`,
});

/**
 * The user's access to the document, and the user's item. The permission provider is asked, if there is one. Throws
 * PERMISSION_DENIED without access; without a document, unless the organization has the user.
 */
async function roleOf(caller: Caller, organizationId: string, userId: string, documentId: string | undefined) {
  const { workspace } = caller;
  const askedAt = Date.now();
  const documentIds = documentId === undefined ? [] : [documentId];
  const question = { workspace, organizationId, userIds: [userId], folderIds: [], documentIds };
  const [subjects, { defaultAccessType }, provider] = await Promise.all([
    loadSubjects(question),
    caller.setting("access"),
    caller.setting("permissionProvider"),
  ]);
  const stored = subjects.users.get(userId);
  // For a user, a missing organization takes the same reads as a forbidden document.
  if (!subjects.hasOrganization && !caller.user) throw noOrganization();
  if (documentId === undefined) {
    if (!User.isKnown(stored)) throw denied();
    return { stored };
  }
  const asked = asIfAllExisted(subjects);
  const resolver = await resolverOf(question, asked, provider, defaultAccessType, "provider");
  const permissions = permissionsOf(question, asked, resolver, false);
  if (provider.usePermissionProvider) await keepAnswers(question, permissions[userId]?.documents ?? {}, askedAt);
  const { accessRole, errorCode } = asUsersSee(permissions, subjects)[userId]?.documents[documentId] ?? {};
  if (errorCode === "something_went_wrong") {
    throw new ApiError("UNAVAILABLE", "The permission provider gave no usable answer. Try again.");
  }
  if (!accessRole) throw denied();
  return { role: accessRole, stored };
}

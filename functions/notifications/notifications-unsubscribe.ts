import * as z from "zod/mini";
import { ApiError } from "../../lib/errors.ts";
import { page, pages } from "../../lib/http/html-page.ts";
import { endpoint, openLambda } from "../../lib/http/lambda.ts";
import { opened, type Subscription, tokenCharactersMax } from "../../lib/messages/unsubscribe.ts";
import { matching } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/access/user.ts";
import { documentByUid } from "../../lib/store/content/document-by-uid.ts";
import * as Organization from "../../lib/store/content/organization-life.ts";
import * as Preference from "../../lib/store/notifications/preference.ts";
import type { WorkspaceRef } from "../../lib/store/refs.ts";

export const notificationsUnsubscribe = endpoint({
  name: "notifications-unsubscribe",
  path: "/v2/notifications/unsubscribe/{token}",
  method: "FORM",
  summary: "Unsubscribe from e-mails",
  description:
    "Follow the link in an e-mail that ends such e-mails (RFC 8058). GET shows a page that asks, POST ends them. A link " +
    "whose user or document is gone succeeds, and the page says so.",
  credentials: "none",
  envelope: "page",
  grants: ["table:read", "table:write", "table:delete"],
  data: z.object({
    token: matching(/^[\w-]+\.[\w-]+$/, tokenCharactersMax, "Is not the token of a link.").check(
      z.describe("From the link in the e-mail."),
    ),
  }),
  example: { token: "d3NfYWNtZQ.AAAA" },
  reply: z.string(),
  message: "",

  /** See DECISIONS.md#unsubscribing. */
  async handle({ data, request }) {
    const link = await opened(data.token);
    if (!link) throw new ApiError("INVALID_ARGUMENT", "This link is not complete. Copy all of it from the message.");
    if (link.isEnded) throw new ApiError("INVALID_ARGUMENT", "This link has ended. Use one of a newer message.");
    const { scope } = link.subscription;
    if (request.method === "GET") return page(asking[scope]);
    return page((await endSubscription(link, link.subscription)) ? done[scope] : gone);
  },
});
export const handler = openLambda(notificationsUnsubscribe, pages);

const asking = {
  document: {
    title: "Stop e-mails about this document?",
    text: "You will get no more e-mails about what happens on this document.",
    button: "Stop these e-mails",
  },
  organization: {
    title: "Stop all of these e-mails?",
    text: "You will get no more e-mails about the documents of this organization, except where you chose them for a single other document.",
    button: "Stop all e-mails",
  },
};

const done = {
  document: { title: "Done", text: "You will get no more e-mails about this document." },
  organization: { title: "Done", text: "You will get no more e-mails about the documents of this organization." },
};

const gone = {
  title: "This link no longer counts",
  text: "The user, document or organization that it was about is gone. If you still get e-mails, use the link of a newer one.",
};

const none = { email: "NONE" } as const;

/**
 * Ends the e-mails that a link names. When the user, document or organization is gone, it changes nothing and returns
 * false. It is gone, too, when another one with the same id was added later.
 */
async function endSubscription({ workspace }: WorkspaceRef, subscription: Subscription): Promise<boolean> {
  const { organizationId, organizationUid, documentUid, userId, generation, scope } = subscription;
  const ref = { workspace, organizationId };
  const [user, document, [organization], [stored]] = await Promise.all([
    User.get({ ...ref, userId }),
    documentByUid({ workspace, documentUid }),
    Organization.getStored({ workspace }, [organizationId]),
    Preference.listOf({ workspace }, userId, [documentUid]),
  ]);
  if (!Organization.isFound(organization) || organization.organizationUid !== organizationUid) return false;
  if (!User.isKnown(user) || User.generationOf(user) !== generation) return false;
  if (!document && scope === "document") return false;
  const isEnded = Preference.resolve(user, stored).email === "NONE";
  if (scope === "organization") {
    const general = Preference.resolve(user).email;
    if (general !== "NONE") await Preference.setOnOrganization(ref, [user], none);
    // A level of the document would win.
    if (document && Preference.hasOwn(user, stored, "email") && !isEnded) await endOnDocument();
  } else if (!isEnded) await endOnDocument();
  return true;

  function endOnDocument() {
    return Preference.setOnDocuments({ workspace }, [user as User.User], [documentUid], none);
  }
}

import * as z from "zod/mini";
import { ApiError } from "../../lib/errors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { openLambda } from "../../lib/http/lambda.ts";
import { page } from "../../lib/http/page.ts";
import { endSubscription } from "../../lib/messages/end-subscription.ts";
import { opened, tokenCharactersMax } from "../../lib/messages/unsubscribe.ts";

export const notificationsUnsubscribe = endpoint({
  name: "notifications-unsubscribe",
  path: "/v2/notifications/unsubscribe/{token}",
  method: "FORM",
  group: "collaboration",
  summary: "Unsubscribe from e-mails",
  description:
    "Follow the link in an e-mail that ends such e-mails (RFC 8058). GET shows a page that asks, POST ends them. A link " +
    "whose user or document is gone succeeds.",
  credentials: "none",
  envelope: "page",
  grants: ["table:read", "table:write", "table:delete"],
  data: z.object({
    token: z
      .string()
      .check(
        z.maxLength(tokenCharactersMax, "Is too long."),
        z.regex(/^[\w-]+\.[\w-]+$/, "Is not the token of a link."),
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
    await endSubscription(link, link.subscription);
    return page(done[scope]);
  },
});
export const handler = openLambda(notificationsUnsubscribe);

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

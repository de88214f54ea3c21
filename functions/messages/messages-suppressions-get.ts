import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { IsoTime, optional } from "../../lib/schema/primitives.ts";
import { MailAddress } from "../../lib/schema/suppression.ts";
import * as Suppression from "../../lib/store/messages/suppression.ts";

const about = "`complaint`: the workspace sends no mail to it. `bounce`: the whole deployment does not.";

export const messagesSuppressionsGet = endpoint({
  name: "messages-suppressions-get",
  path: "/v2/workspace/messages/suppressions/get",
  summary: "List suppressed addresses",
  description: "List the addresses whose users have complained, as hashes, or tell whether one address gets mail.",
  grants: ["table:read", "key:unseal:address-hash"],
  data: z.object({
    email: optional(
      MailAddress.check(z.describe("Only this address. Bounces are found too, although the list does not have them.")),
    ),
    ...pageRequest,
  }),
  example: { email: "alice@example.com" },
  reply: z.object({
    suppressions: z
      .array(
        z.object({
          hash: z
            .optional(z.string())
            .check(
              z.describe(
                "The hash of the address. The address itself is not stored. Absent when the request names one.",
              ),
            ),
          reason: z.enum(["bounce", "complaint"]).check(z.describe(about)),
          at: IsoTime.check(z.describe("When the provider reported it.")),
          detail: z.optional(z.string()).check(z.describe("The provider's word for the kind of bounce or complaint.")),
        }),
      )
      .check(z.describe("The suppressed addresses of this page.")),
    ...pageReply,
  }),
  message: "Suppressed addresses retrieved.",

  async handle({ data, caller }) {
    const { email } = data;
    if (email !== undefined) {
      const found = await Suppression.suppressionOf(caller.ref, email);
      return { suppressions: found ? [found] : [], nextPageToken: null };
    }
    const list = listing(caller, ["suppressions"], data);
    const { items, next } = await Suppression.page(caller.ref, list.size, list.from);
    const suppressions = items.map(({ hash, at, detail }) => {
      return { hash, reason: "complaint" as const, at, ...(detail !== undefined && { detail }) };
    });
    return { suppressions, nextPageToken: list.tokenFor(next) };
  },
});
export const handler = readLambda(messagesSuppressionsGet);

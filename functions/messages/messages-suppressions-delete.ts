import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { MailAddress } from "../../lib/schema/suppression.ts";
import * as Suppression from "../../lib/store/messages/suppression.ts";

export const messagesSuppressionsDelete = endpoint({
  name: "messages-suppressions-delete",
  path: "/v2/workspace/messages/suppressions/delete",
  summary: "Delete a suppressed address",
  description:
    "Permit the workspace's mail to an address again after its user has complained. An address without a complaint is no error.",
  grants: ["table:read", "table:delete", "key:unseal:address-hash"],
  data: z.object({ email: MailAddress.check(z.describe("The address that is to get mail again.")) }),
  reply: z.object({
    email: z.string().check(z.describe("The e-mail address.")),
    isBounced: z
      .boolean()
      .check(
        z.describe(
          "true: mail to the address has bounced, so it still gets none. Only the operator can permit it again.",
        ),
      ),
  }),
  message: "Complaint deleted. Mail goes to the address again, unless it has bounced.",

  async handle({ data, caller, say }) {
    const { email } = data;
    if (!(await Suppression.release(caller.ref, email))) say("The address has no complaint: nothing was deleted.");
    return { email, isBounced: (await Suppression.suppressionOf(caller.ref, email))?.reason === "bounce" };
  },
});
export const handler = lambda(messagesSuppressionsDelete);

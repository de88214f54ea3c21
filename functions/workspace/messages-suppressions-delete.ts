import * as z from "zod/mini";
import { notFound } from "../../lib/errors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { MailAddress } from "../../lib/schema/suppression.ts";
import * as Suppression from "../../lib/store/suppression.ts";

export const messagesSuppressionsDelete = endpoint({
  name: "messages-suppressions-delete",
  path: "/v2/workspace/messages/suppressions/delete",
  group: "workspace",
  summary: "Permit mail of the workspace to an address again whose user has complained.",
  grants: ["table:read", "table:delete", "key:unseal:address-hash"],
  errors: ["NOT_FOUND"],
  data: z.object({ email: MailAddress }),
  example: { email: "alice@example.com" },
  reply: z.object({ deleted: z.literal(true) }),
  message: "Suppressed address deleted.",

  async handle({ data, caller }) {
    if (!(await Suppression.release(caller, data.email))) throw notFound("complaint about mail to this address");
    return { deleted: true as const };
  },
});
export const handler = lambda(messagesSuppressionsDelete);

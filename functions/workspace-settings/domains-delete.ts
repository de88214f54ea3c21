import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { Domains, normalDomains } from "../../lib/schema/domain-name.ts";
import * as Domain from "../../lib/store/domain.ts";

export const domainsDelete = endpoint({
  name: "domains-delete",
  path: "/v2/workspace/domains/delete",
  summary: "Delete allowed domains",
  description: "Delete allowed domains; an unknown domain is no error.",
  grants: ["table:read", "table:delete"],
  data: z.object({ domains: Domains.check(z.describe("The domains to delete, at most 100.")) }),
  example: { domains: ["example.com"] },
  reply: z.object({
    domainsDeleted: z.array(z.string()).check(z.describe("The domains of the request, in their normal form.")),
  }),
  message: "Domains deleted.",

  async handle({ data, caller }) {
    return { domainsDeleted: await Domain.remove(caller.ref, normalDomains(data.domains)) };
  },
});
export const handler = lambda(domainsDelete);

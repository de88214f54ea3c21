import * as z from "zod/mini";
import { ApiError } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { Domains, normalDomains } from "../../lib/schema/domain-name.ts";
import * as Domain from "../../lib/store/domain.ts";

export const domainsAdd = endpoint({
  name: "domains-add",
  path: "/v2/workspace/domains/add",
  contract: 19,
  summary: "Add allowed domains",
  description:
    "Add allowed domains, of links in messages and of pages that call with users' tokens. If only some exist already, the others are added and the call returns INTERNAL.",
  grants: ["table:read", "table:write"],
  data: z.object({ domains: Domains.check(z.describe("The domains to allow, at most 100.")) }),
  example: { domains: ["https://www.example.com/start", "*.example.org"] },
  reply: z.object({
    domainsAdded: z
      .array(z.string())
      .check(
        z.describe("The domains that were added, in their normal form: in lower case, without protocol, path and www."),
      ),
  }),
  message: "Domains added.",

  async handle({ data, caller, say }) {
    const domains = normalDomains(data.domains);
    const domainsAdded = await Domain.add(caller.ref, domains);
    if (domainsAdded.length === 0) say("The domains exist already: none was added.");
    if (domainsAdded.length === 0 || domainsAdded.length === domains.length) return { domainsAdded };
    const skippedDomains = domains.filter((domain) => !domainsAdded.includes(domain));
    throw new ApiError("INTERNAL", "New domains were added; existing ones were skipped.", {
      details: { domainsAdded, skippedDomains },
      isExpected: true,
    });
  },
});
export const handler = lambda(domainsAdd);

import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import * as Domain from "../../lib/store/domain.ts";

export const domainsGet = endpoint({
  name: "domains-get",
  path: "/v2/workspace/domains/get",
  summary: "List allowed domains",
  description: "List the allowed domains.",
  grants: ["table:read"],
  data: z.object({ ...pageRequest }),
  example: { pageSize: 50 },
  reply: z.object({
    domains: z.array(z.string()).check(z.describe("The allowed domains of this page, in their normal form.")),
    ...pageReply,
  }),
  message: "Domains retrieved.",

  async handle({ data, caller }) {
    const list = listing(caller, ["domains"], data);
    const page = await Domain.page(caller.ref, list.size, list.from);
    return { domains: page.items.map(({ domain }) => domain), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(domainsGet);

import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { OrganizationId, OrganizationName } from "../../lib/schema/fields.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { CreatedAt, distinct, ids, optional } from "../../lib/schema/primitives.ts";
import * as Organization from "../../lib/store/content/organization.ts";

export const organizationsGet = endpoint({
  name: "organizations-get",
  path: "/v2/organizations/get",
  summary: "List organizations",
  description: "List the organizations of the workspace: all, or those with the given ids.",
  grants: ["table:read"],
  data: z.object({
    organizationIds: optional(ids(100)).check(z.describe("Only these organizations. Absent: all of the workspace.")),
    ...pageRequest,
  }),
  example: { organizationIds: ["acme"] },
  reply: z.object({
    organizations: z
      .array(
        z.object({
          organizationId: OrganizationId,
          organizationName: z.optional(OrganizationName),
          createdAt: CreatedAt,
        }),
      )
      .check(z.describe("The organizations of this page.")),
    ...pageReply,
  }),
  message: "Organizations retrieved.",

  async handle({ data, caller }) {
    const named = data.organizationIds && distinct(data.organizationIds);
    const list = listing(caller, named ? ["organizations by id", ...named] : ["organizations"], data, named);
    const page = named
      ? await Organization.lookUp(caller.ref, named, list.size, list.from)
      : await Organization.page(caller.ref, list.size, list.from);
    return {
      organizations: page.items.map(({ organizationId, name, createdAt }) => ({
        organizationId,
        ...(name !== undefined && { organizationName: name }),
        createdAt,
      })),
      nextPageToken: list.tokenFor(page.next),
    };
  },
});
export const handler = readLambda(organizationsGet);

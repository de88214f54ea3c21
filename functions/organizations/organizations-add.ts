import * as z from "zod/mini";
import { createUnlessDeleted } from "../../lib/content/existing.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { OrganizationId, OrganizationName } from "../../lib/schema/fields.ts";
import { byId, distinctBy, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { mustBeObject } from "../../lib/schema/messages.ts";
import { listOf, optional } from "../../lib/schema/primitives.ts";

export const organizationsAdd = endpoint({
  name: "organizations-add",
  path: "/v2/organizations/add",
  summary: "Add organizations",
  grants: ["table:read", "table:write"],
  events: ["organization.add"],
  data: z.object({
    organizations: listOf(
      z.object({ organizationId: OrganizationId, organizationName: optional(OrganizationName) }, mustBeObject),
    ).check(z.describe("The organizations to add.")),
  }),
  example: {
    organizations: [
      { organizationId: "acme", organizationName: "Acme" },
      { organizationId: "acme-trial", organizationName: "Acme trial" },
    ],
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Organizations added.",

  async handle({ data, caller }) {
    const organizations = distinctBy(data.organizations, (each) => each.organizationId).map((each) => ({
      organizationId: each.organizationId,
      name: each.organizationName,
    }));
    const created = await createUnlessDeleted(caller.ref, organizations);
    return byId(
      organizations.map(({ organizationId: id }, index) => [
        id,
        created[index]
          ? done(id, "Organization added.")
          : failed(id, "already-exists", "The organization already exists."),
      ]),
    );
  },
});
export const handler = lambda(organizationsAdd);

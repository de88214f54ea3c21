import * as z from "zod/mini";
import { grantAccess } from "../../lib/access/grant-access.ts";
import { byOrganization, organizationOf } from "../../lib/access/requested-grants.ts";
import { requireAccessible } from "../../lib/content/existing.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { ResourceGrant } from "../../lib/schema/access.ts";
import { RealUserId, UserId } from "../../lib/schema/fields.ts";
import { mustBeObject } from "../../lib/schema/messages.ts";
import { listOf } from "../../lib/schema/primitives.ts";

export const permissionsAdd = endpoint({
  name: "permissions-add",
  path: "/v2/auth/permissions/add",
  summary: "Add permissions",
  description: "Give a user access to organizations, folders and documents; a repeated grant replaces the earlier one.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["permission.update"],
  data: z.object({
    user: z.object({ userId: RealUserId }, mustBeObject).check(z.describe("The user whose grants change.")),
    permissions: z
      .object(
        {
          resources: listOf(ResourceGrant).check(
            z.describe("The organizations, folders and documents, each with what is granted there."),
          ),
        },
        mustBeObject,
      )
      .check(z.describe("The grants.")),
  }),
  example: {
    user: { userId: "bob" },
    permissions: { resources: [{ type: "document", id: "plan", organizationId: "acme", accessRole: "editor" }] },
  },
  reply: z.object({ userId: UserId, granted: z.number().check(z.describe("How many grants were stored.")) }),
  timeoutSeconds: 25,
  message: "Permissions added.",

  async handle({ data, caller }) {
    const { userId } = data.user;
    const grouped = byOrganization(data.permissions.resources);
    const resources = [...grouped.values()].flat();
    const { workspace } = caller;
    const pathOf = (organizationId: string) => pathTo(organizationId, data.permissions.resources);
    const check = () => requireAccessible(workspace, [...grouped.keys()], pathOf);
    await grantAccess({ workspace, userId, resources, check: check() });
    return { userId, granted: resources.length };
  },
});
export const handler = lambda(permissionsAdd);

/** The path of the first field that names the organization. */
function pathTo(organizationId: string, resources: readonly ResourceGrant[]): string[] {
  const index = resources.findIndex((each) => organizationOf(each) === organizationId);
  const field = resources[index]?.type === "organization" ? "id" : "organizationId";
  return ["permissions", "resources", String(index), field];
}

import * as z from "zod/mini";
import { removeGrants } from "../../lib/access/remove-grants.ts";
import { byOrganization } from "../../lib/access/requested-grants.ts";
import { inParallel } from "../../lib/concurrency.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { ResourceName } from "../../lib/schema/access.ts";
import { UserId } from "../../lib/schema/fields.ts";
import { mustBeObject } from "../../lib/schema/messages.ts";
import { listOf } from "../../lib/schema/primitives.ts";

const organizationsInFlight = 4;

export const permissionsRemove = endpoint({
  name: "permissions-remove",
  path: "/v2/auth/permissions/remove",
  summary: "Remove permissions",
  description: "Remove a user's grants on organizations, folders and documents; a missing grant is no error.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["permission.update"],
  data: z.object({
    user: z.object({ userId: UserId }, mustBeObject).check(z.describe("The user whose grants change.")),
    permissions: z
      .object(
        {
          resources: listOf(ResourceName).check(
            z.describe("The organizations, folders and documents where the grant ends."),
          ),
        },
        mustBeObject,
      )
      .check(z.describe("The grants.")),
  }),
  example: {
    user: { userId: "bob" },
    permissions: { resources: [{ type: "document", id: "plan", organizationId: "acme" }] },
  },
  reply: z.object({
    userId: UserId,
    removed: z.number().check(z.describe("How many grants were ended. A grant that had ended before does not count.")),
  }),
  timeoutSeconds: 25,
  message: "Permissions removed.",

  async handle({ data, caller: { workspace } }) {
    const { userId } = data.user;
    const groups = [...byOrganization(data.permissions.resources)];
    const counts = await inParallel(groups, organizationsInFlight, async ([organizationId, resources]) => {
      const removals = resources.map(({ type, id }) => ({ type, id, userId }));
      return (await removeGrants({ workspace, organizationId }, removals)).size;
    });
    return { userId, removed: counts.reduce((sum, count) => sum + count, 0) };
  },
});
export const handler = lambda(permissionsRemove);

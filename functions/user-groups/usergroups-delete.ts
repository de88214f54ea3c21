import * as z from "zod/mini";
import { requireOrganization } from "../../lib/content/existing.ts";
import { purgeJob } from "../../lib/deletion/purge-job.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, done, ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, ids } from "../../lib/schema/primitives.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";

export const usergroupsDelete = endpoint({
  name: "usergroups-delete",
  path: "/v2/organizations/usergroups/delete",
  summary: "Delete user groups",
  description: "Delete user groups of an organization. Their users stay in it. An unknown group is no error.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  events: ["usergroup.delete"],
  data: z.object({
    organizationId: OrganizationId,
    organizationUserGroupIds: ids().check(z.describe("The groups to delete. An unknown one is no error.")),
  }),
  example: { organizationId: "acme", organizationUserGroupIds: ["guests"] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "User groups deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const organization = { workspace, organizationId };
    const groupIds = distinct(data.organizationUserGroupIds);
    const deleted = new Set<string>();
    let rest: readonly string[] = groupIds;
    await retryOnConflict("user groups", async () => {
      const [groups] = await Promise.all([UserGroup.getMany(organization, rest), requireOrganization(organization)]);
      const units = groups
        .filter((group) => group !== undefined)
        .map((group) => ({ group, writes: [UserGroup.removal(organization, group)] }));
      const outcome = await commitEach(units, (written) => ({
        jobs: [
          purgeJob(
            workspace,
            written.flatMap(({ group }) => UserGroup.userGroupDescendants({ workspace, ...group }).partitions ?? []),
          ),
        ],
        events: written.map(({ group: { organizationUserGroupId } }) => ({
          type: "usergroup.delete",
          workspace,
          organizationId,
          data: { organizationUserGroupId },
        })),
      }));
      const ids = units.map(({ group }) => group.organizationUserGroupId);
      for (const [index, id] of ids.entries()) if (outcome[index]) deleted.add(id);
      // The others have changed since they were read, or another call has deleted them.
      rest = ids.filter((id) => !deleted.has(id));
      return rest.length === 0 ? undefined : conflict;
    });
    return byId(
      groupIds.map((id) => [id, done(id, deleted.has(id) ? "User group deleted." : "The user group does not exist.")]),
    );
  },
});
export const handler = lambda(usergroupsDelete);

import * as z from "zod/mini";
import { requireOrganization } from "../../lib/content/existing.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, distinctBy, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { UserGroupList } from "../../lib/schema/user-group.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";

export const usergroupsUpdate = endpoint({
  name: "usergroups-update",
  path: "/v2/organizations/usergroups/update",
  summary: "Update user groups",
  description: "Update the names of user groups.",
  grants: ["table:read", "table:write"],
  events: ["usergroup.update"],
  data: z.object({
    organizationId: OrganizationId,
    organizationUserGroups: UserGroupList.check(z.describe("The groups with their new names.")),
  }),
  example: {
    organizationId: "acme",
    organizationUserGroups: [{ organizationUserGroupId: "reviewers", organizationUserGroupName: "Launch reviewers" }],
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "User groups updated.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const organization = { workspace, organizationId };
    const updates = distinctBy(data.organizationUserGroups, (group) => group.organizationUserGroupId);
    const results = new Map<string, ItemResult>();
    await retryOnConflict("user groups", async () => {
      const rest = updates.filter(({ organizationUserGroupId }) => !results.has(organizationUserGroupId));
      const [groups] = await Promise.all([
        UserGroup.getMany(
          organization,
          rest.map(({ organizationUserGroupId }) => organizationUserGroupId),
        ),
        requireOrganization(organization),
      ]);
      const units = rest.flatMap(({ organizationUserGroupId: id, organizationUserGroupName: name }, index) => {
        const group = groups[index];
        if (!group) results.set(id, failed(id, "not-found", "The user group does not exist."));
        else if (name === undefined) results.set(id, failed(id, "nothing-to-update", "The update has no name."));
        else if (name === group.name) results.set(id, updated(id));
        else return [{ id, writes: [UserGroup.renaming(organization, group, name)] }];
        return [];
      });
      const outcome = await commitEach(units, (written) => ({
        events: written.map(({ id }) => ({
          type: "usergroup.update",
          workspace,
          organizationId,
          data: { organizationUserGroupId: id },
        })),
      }));
      for (const [index, { id }] of units.entries()) if (outcome[index]) results.set(id, updated(id));
      return results.size === updates.length ? undefined : conflict;
    });
    return byId(results);
  },
});
export const handler = lambda(usergroupsUpdate);

const updated = (id: string) => done(id, "User group updated.");

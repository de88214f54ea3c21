import * as z from "zod/mini";
import { requireOrganization } from "../../lib/content/existing.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, distinctBy, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { UserGroupList } from "../../lib/schema/user-group.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";

export const usergroupsAdd = endpoint({
  name: "usergroups-add",
  path: "/v2/organizations/usergroups/add",
  summary: "Add user groups",
  description: "Add user groups to an organization.",
  grants: ["table:read", "table:write"],
  events: ["usergroup.add"],
  data: z.object({
    organizationId: OrganizationId,
    organizationUserGroups: UserGroupList.check(z.describe("The groups to add.")),
  }),
  example: {
    organizationId: "acme",
    organizationUserGroups: [
      { organizationUserGroupId: "reviewers", organizationUserGroupName: "Reviewers" },
      { organizationUserGroupId: "guests", organizationUserGroupName: "Guests" },
    ],
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "User groups added.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const groups = distinctBy(data.organizationUserGroups, (group) => group.organizationUserGroupId);
    await requireOrganization({ workspace, organizationId });
    const units = groups.map(({ organizationUserGroupId: id, organizationUserGroupName: name }) => ({
      id,
      writes: [UserGroup.creation({ workspace, organizationId, organizationUserGroupId: id }, name)],
    }));
    const outcome = await commitEach(units, (added) => ({
      events: added.map(({ id }) => ({
        type: "usergroup.add",
        workspace,
        organizationId,
        data: { organizationUserGroupId: id },
      })),
    }));
    return byId(
      units.map(({ id }, index) => [
        id,
        outcome[index] ? done(id, "User group added.") : failed(id, "already-exists", "The user group already exists."),
      ]),
    );
  },
});
export const handler = lambda(usergroupsAdd);

import * as z from "zod/mini";
import { membersOf } from "../../lib/access/list-users.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { notFound } from "../../lib/errors.ts";
import { type Caller, endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { distinct, Flag, Id, ids, optional } from "../../lib/schema/primitives.ts";
import { ShownUser } from "../../lib/schema/user.ts";
import { ShownUserGroup } from "../../lib/schema/user-group.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";

const oneOrSeveral = z.refine<{ organizationUserGroupId?: unknown; organizationUserGroupIds?: unknown }>(
  (data) => data.organizationUserGroupId === undefined || data.organizationUserGroupIds === undefined,
  {
    error: "Give organizationUserGroupId or organizationUserGroupIds, not both.",
    path: ["organizationUserGroupIds"],
    when: whenValid("organizationUserGroupId", "organizationUserGroupIds"),
  },
);

const membersOfOne = z.refine<{ organizationUserGroupId?: unknown; withMembers?: unknown }>(
  (data) => !data.withMembers || data.organizationUserGroupId !== undefined,
  {
    error: "Is required with withMembers: a page has the members of one group.",
    path: ["organizationUserGroupId"],
    when: whenValid("organizationUserGroupId", "withMembers"),
  },
);

const Data = z
  .object({
    organizationId: OrganizationId,
    organizationUserGroupId: optional(Id).check(z.describe("Only this group.")),
    withMembers: optional(
      Flag.check(z.describe("Whether to list the members of the group organizationUserGroupId, page by page.")),
    ),
    organizationUserGroupIds: optional(ids(100)).check(z.describe("Only these groups. Absent: all.")),
    ...pageRequest,
  })
  .check(oneOrSeveral, membersOfOne);

export const usergroupsGet = endpoint({
  name: "usergroups-get",
  path: "/v2/organizations/usergroups/get",
  summary: "List user groups",
  description: "List the user groups of an organization: all, those with the given ids, or one with its members.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: Data,
  example: { organizationId: "acme", organizationUserGroupId: "reviewers", withMembers: true },
  reply: z.object({
    organizationUserGroups: z.array(ShownUserGroup).check(z.describe("The user groups of this page.")),
    members: z.optional(z.array(ShownUser).check(z.describe("With withMembers: one page of the group's members."))),
    ...pageReply,
  }),
  message: "User groups retrieved.",

  async handle({ data, caller }) {
    return data.organizationUserGroupId === undefined ? groupsOf(caller, data) : oneGroup(caller, data);
  },
});
export const handler = readLambda(usergroupsGet);

async function groupsOf(caller: Caller, data: z.output<typeof Data>) {
  const { organizationId, organizationUserGroupIds } = data;
  const organization = { workspace: caller.workspace, organizationId };
  const named = organizationUserGroupIds && distinct(organizationUserGroupIds);
  const list = listing(caller, ["user groups", organizationId, ...(named ? ["ids", ...named] : [])], data, named);
  const [page] = await Promise.all([
    named
      ? UserGroup.lookUp(organization, named, list.size, list.from)
      : UserGroup.page(organization, list.size, list.from),
    requireOrganization(organization),
  ]);
  return { organizationUserGroups: page.items.map(shownGroup), nextPageToken: list.tokenFor(page.next) };
}

async function oneGroup(caller: Caller, data: z.output<typeof Data>) {
  const { organizationId, organizationUserGroupId = "", withMembers } = data;
  const organization = { workspace: caller.workspace, organizationId };
  const list = listing(caller, ["members of a user group", organizationId, organizationUserGroupId], data);
  const [group] = await Promise.all([
    UserGroup.get({ ...organization, organizationUserGroupId }),
    requireOrganization(organization),
  ]);
  if (!group) throw notFound("organization user group");
  const shown = { organizationUserGroups: [shownGroup(group)] };
  if (!withMembers) return { ...shown, nextPageToken: null };
  const wanted = { userIds: undefined, limit: list.size, from: list.from };
  const { items, next } = await membersOf(organization, [{ ...organization, ...group }], wanted);
  return { ...shown, members: items, nextPageToken: list.tokenFor(next) };
}

const shownGroup = ({ organizationUserGroupId, name }: UserGroup.UserGroup) => ({
  organizationUserGroupId,
  ...(name !== undefined && { organizationUserGroupName: name }),
});

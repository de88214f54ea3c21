import * as z from "zod/mini";
import { existingGroups, membersOf, shownUsers } from "../../lib/access/list-users.ts";
import { usersWithGrant } from "../../lib/access/users-with-grant.ts";
import { beside } from "../../lib/concurrency.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { pageOfIds } from "../../lib/dynamodb/sources.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { distinct, Id, ids, optional } from "../../lib/schema/primitives.ts";
import { notBoth, resourceOf } from "../../lib/schema/resource.ts";
import { ShownUser } from "../../lib/schema/user.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import * as User from "../../lib/store/access/user.ts";
import type { OrganizationRef } from "../../lib/store/refs.ts";

/** Each page looks up its users in the groups that were listed before. */
const groupsMax = 10;

const notWithGroups = z.refine<{ organizationUserGroupIds?: unknown; documentId?: unknown; folderId?: unknown }>(
  ({ organizationUserGroupIds, documentId, folderId }) =>
    organizationUserGroupIds === undefined || (documentId === undefined && folderId === undefined),
  {
    error: "Give either groups or a document or folder.",
    path: ["organizationUserGroupIds"],
    when: whenValid("organizationUserGroupIds", "documentId", "folderId"),
  },
);

export const usersGet = endpoint({
  name: "users-get",
  path: "/v2/users/get",
  summary: "List users",
  description:
    "List the users of an organization, of one folder or document, or of user groups; or only the given ids.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z
    .object({
      organizationId: OrganizationId,
      documentId: optional(Id).check(z.describe("Only users with a grant on this document.")),
      folderId: optional(Id).check(z.describe("Only users with a grant on this folder.")),
      organizationUserGroupIds: optional(ids(groupsMax)).check(z.describe("Only users of these groups, each once.")),
      userIds: optional(ids(100)).check(z.describe("Only these users, in this order. Absent: all.")),
      ...pageRequest,
    })
    .check(notBoth, notWithGroups),
  example: { organizationId: "acme", pageSize: 50 },
  reply: z.object({
    users: z.array(ShownUser).check(z.describe("The users of this page.")),
    ...pageReply,
  }),
  message: "Users retrieved.",

  async handle({ data, caller }) {
    const { workspace } = caller;
    const { organizationId, userIds, organizationUserGroupIds: groupIds } = data;
    const resource = resourceOf(data);
    const among = resource ? [resource.type, resource.id] : groupIds ? ["groups", ...distinct(groupIds)] : [];
    const named = userIds && distinct(userIds);
    const query = named ? ["users by id", organizationId, JSON.stringify(named)] : ["users", organizationId];
    const list = listing(caller, [...query, ...among], data, named);
    const organization = { workspace, organizationId };
    if (resource || groupIds) {
      const wanted = { userIds: named, limit: list.size, from: list.from };
      const { items, next } = await beside(
        requireOrganization(organization),
        resource
          ? usersWithGrant(organization, resource, wanted)
          : existingGroups(organization, distinct(groupIds ?? [])).then((ids) => membersOf(organization, ids, wanted)),
      );
      return { users: items, nextPageToken: list.tokenFor(next) };
    }
    const [page] = await Promise.all([
      named
        ? pageOfIds(named, { limit: list.size, from: list.from }, (ids) => usersById(organization, ids))
        : User.page(organization, list.size, list.from),
      requireOrganization(organization),
    ]);
    return { users: await shownUsers(organization, page.items), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(usersGet);

async function usersById(organization: OrganizationRef, ids: readonly string[]) {
  const users = await User.getMany(organization, ids);
  return users.map((user) => (User.hasProfile(user) ? user : undefined));
}

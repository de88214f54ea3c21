import * as z from "zod/mini";
import { requireOrganization } from "../../lib/content/require-organization.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { AccessRole, distinct, Id, ids, optional, PageSize, PageToken } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/user.ts";

export const usersGet = endpoint({
  name: "users-get",
  path: "/v2/users/get",
  group: "access",
  summary: "List the users of an organization, or get those with the given ids.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: Id,
    userIds: optional(ids(100)),
    pageSize: optional(PageSize),
    pageToken: optional(PageToken),
  }),
  reply: z.object({
    users: z.array(
      z.object({
        userId: z.string(),
        name: z.optional(z.string()),
        email: z.optional(z.string()),
        isAdmin: z.boolean(),
        accessRole: z.optional(AccessRole),
        expiresAt: z.optional(z.number()),
      }),
    ),
    nextPageToken: z.nullable(z.string()),
  }),
  message: "Users retrieved.",

  async handle({ data, caller }) {
    const { workspace } = caller;
    const { organizationId, userIds } = data;
    const list = listing(caller, ["users", organizationId], data);
    const organization = { workspace, organizationId };
    const existing = requireOrganization(organization);
    if (userIds) {
      const [found] = await Promise.all([User.getMany(organization, distinct(userIds)), existing]);
      return { users: found.filter(User.hasProfile).map(shownUser), nextPageToken: null };
    }
    const [page] = await Promise.all([User.page(organization, list.size, list.from), existing]);
    return { users: page.items.map(shownUser), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(usersGet);

/** Role and expiry are absent when the grant has ended. */
function shownUser(user: User.User) {
  const { userId, name, email, accessRole, expiresAt } = user;
  const grant = User.isMember(user) ? { accessRole, ...(expiresAt !== undefined && { expiresAt }) } : {};
  return { userId, name, email, isAdmin: User.isMember(user) && user.isAdmin === true, ...grant };
}

import * as z from "zod/mini";
import { shownUser } from "../../lib/access/shown-user.ts";
import { requireOrganization } from "../../lib/content/require-organization.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { distinct, Id, ids, optional } from "../../lib/schema/primitives.ts";
import { ShownUser } from "../../lib/schema/user.ts";
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
    ...pageRequest,
  }),
  reply: z.object({
    users: z.array(ShownUser),
    ...pageReply,
  }),
  message: "Users retrieved.",

  async handle({ data, caller }) {
    const { workspace } = caller;
    const { organizationId, userIds } = data;
    const list = listing(caller, ["users", organizationId], data);
    const organization = { workspace, organizationId };
    if (userIds) {
      const [found] = await Promise.all([
        User.getMany(organization, distinct(userIds)),
        requireOrganization(organization),
      ]);
      return { users: found.filter(User.hasProfile).map(shownUser), nextPageToken: null };
    }
    const [page] = await Promise.all([
      User.page(organization, list.size, list.from),
      requireOrganization(organization),
    ]);
    return { users: page.items.map(shownUser), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(usersGet);

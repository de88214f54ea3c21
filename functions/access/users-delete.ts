import * as z from "zod/mini";
import { endpoint } from "../../lib/endpoint.ts";
import { byId, done } from "../../lib/items.ts";
import { lambda } from "../../lib/lambda.ts";
import { ItemResult } from "../../lib/schema/access.ts";
import { distinct, Id, ids } from "../../lib/schema/primitives.ts";
import * as Table from "../../lib/store/table.ts";
import * as User from "../../lib/store/user.ts";

export const usersDelete = endpoint({
  name: "users-delete",
  path: "/v2/users/delete",
  group: "access",
  companion: true,
  summary: "Remove users from an organization; all their grants there end at once.",
  grants: ["table:read", "table:write"],
  events: ["user.delete"],
  data: z.object({ organizationId: Id, userIds: ids() }),
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Users deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const userIds = distinct(data.userIds);
    const users = (await User.getMany(workspace, organizationId, userIds)).filter(User.isKnown);
    const units = users.map((user) => ({
      userId: user.userId,
      writes: [User.removal(workspace, organizationId, user)],
    }));
    const outcome = await Table.commitEach(units, (deleted) => ({
      events: deleted.map(({ userId }) => ({ type: "user.delete", workspace, organizationId, data: { userId } })),
    }));
    const deleted = new Set(units.filter((_, index) => outcome[index]).map(({ userId }) => userId));
    return byId(userIds.map((id) => [id, done(id, deleted.has(id) ? "User deleted." : "The user does not exist.")]));
  },
});
export const handler = lambda(usersDelete);

import * as z from "zod/mini";
import { purgeJob } from "../../lib/deletion/purge-job.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, done } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { ItemResult } from "../../lib/schema/access.ts";
import { distinct, Id, ids } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/user.ts";
import { userLifePartitions } from "../../lib/store/user-data.ts";

export const usersDelete = endpoint({
  name: "users-delete",
  path: "/v2/users/delete",
  group: "access",
  summary: "Remove users from an organization; all their grants in it end immediately.",
  grants: ["table:read", "table:write", "queue:purge"],
  events: ["user.delete"],
  data: z.object({ organizationId: Id, userIds: ids() }),
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Users deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const organization = { workspace, organizationId };
    const userIds = distinct(data.userIds);
    const users = await User.getMany(organization, userIds);
    // A user without profile and organization grant can still have grants on folders and documents. They end too.
    const units = userIds.map((userId, index) => ({
      userId,
      isKnown: User.isKnown(users[index]),
      life: { ...organization, userId, generation: User.generationOf(users[index]) },
      writes: [User.removal(organization, users[index] ?? { userId })],
    }));
    const outcome = await commitEach(units, (deleted) => ({
      jobs: [
        purgeJob(
          workspace,
          deleted.flatMap(({ life }) => userLifePartitions(life)),
        ),
      ],
      events: deleted
        .filter(({ isKnown }) => isKnown)
        .map(({ userId }) => ({ type: "user.delete", workspace, organizationId, data: { userId } })),
    }));
    return byId(
      units.map(({ userId, isKnown }, index) => {
        const message = isKnown && outcome[index] ? "User deleted." : "The user does not exist.";
        return [userId, done(userId, message)];
      }),
    );
  },
});
export const handler = lambda(usersDelete);

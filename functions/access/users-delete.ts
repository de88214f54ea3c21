import * as z from "zod/mini";
import type { GrantedResource } from "../../lib/access/grants.ts";
import { removeGrants } from "../../lib/access/remove-grants.ts";
import { existingTarget } from "../../lib/access/resource-grants.ts";
import { purgeJob } from "../../lib/deletion/purge-job.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, done } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { ItemResult } from "../../lib/schema/access.ts";
import { distinct, Id, ids, optional } from "../../lib/schema/primitives.ts";
import { notBoth, resourceOf } from "../../lib/schema/resource.ts";
import type { OrganizationRef } from "../../lib/store/refs.ts";
import * as User from "../../lib/store/user.ts";
import { userLifePartitions } from "../../lib/store/user-data.ts";

export const usersDelete = endpoint({
  name: "users-delete",
  path: "/v2/users/delete",
  group: "access",
  summary:
    "Remove users from an organization, where all their grants end at once. With a document or folder, only their " +
    "grants on that one end.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  events: ["user.delete", "permission.update"],
  data: z
    .object({ organizationId: Id, documentId: optional(Id), folderId: optional(Id), userIds: ids() })
    .check(notBoth),
  example: { organizationId: "acme", userIds: ["alice"] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Users deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const organization = { workspace, organizationId };
    const userIds = distinct(data.userIds);
    const resource = resourceOf(data);
    if (resource) return removeFrom(organization, resource, userIds);
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

/** A missing grant, document or folder is no error: there is nothing to remove. */
async function removeFrom(organization: OrganizationRef, resource: GrantedResource, userIds: readonly string[]) {
  const removals = userIds.map((userId) => ({ ...resource, userId }));
  const [removed, target] = await Promise.all([
    removeGrants(organization, removals),
    existingTarget(organization, resource),
  ]);
  const what = resource.type;
  const reason = target ? `The user has no grant on the ${what}.` : `The ${what} does not exist.`;
  return byId(
    removals.map((removal) => {
      const message = removed.has(removal) ? `User removed from the ${what}.` : reason;
      return [removal.userId, done(removal.userId, message)];
    }),
  );
}

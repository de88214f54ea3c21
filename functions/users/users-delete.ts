import * as z from "zod/mini";
import { removeGrants } from "../../lib/access/remove-grants.ts";
import type { GrantedResource } from "../../lib/access/requested-grants.ts";
import { existingTarget } from "../../lib/access/resource-grants.ts";
import { userPurgeJob } from "../../lib/deletion/purge-job.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, done, ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, Id, ids, optional } from "../../lib/schema/primitives.ts";
import { notBoth, resourceOf } from "../../lib/schema/resource.ts";
import * as User from "../../lib/store/access/user.ts";
import type { OrganizationRef } from "../../lib/store/refs.ts";

export const usersDelete = endpoint({
  name: "users-delete",
  path: "/v2/users/delete",
  summary: "Delete users",
  description:
    "Remove users from an organization, where all their grants end at once. With a document or folder, only their " +
    "grants on that one end. Tokens of a user whom the organization does not know stay valid: tokens/revoke ends them.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  events: ["user.delete", "permission.update"],
  data: z
    .object({
      organizationId: OrganizationId,
      documentId: optional(Id).check(
        z.describe("Ends only the grants on this document. The users stay in the organization."),
      ),
      folderId: optional(Id).check(
        z.describe("Ends only the grants on this folder. The users stay in the organization."),
      ),
      userIds: ids().check(z.describe("The users, by their ids. A repeated id counts once.")),
    })
    .check(notBoth),
  example: { organizationId: "acme", userIds: ["carol"] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Users deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const organization = { workspace, organizationId };
    const userIds = distinct(data.userIds);
    const resource = resourceOf(data);
    if (resource) return removeFrom(organization, resource, userIds);
    const deleted = await deleteUsers(organization, userIds);
    return byId(userIds.map((id) => [id, done(id, deleted.has(id) ? "User deleted." : "The user does not exist.")]));
  },
});
export const handler = lambda(usersDelete);

/** Returns the users who existed. Grants on folders and documents end too, also of a user without a profile. */
async function deleteUsers(organization: OrganizationRef, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { workspace, organizationId } = organization;
  const deleted = new Set<string>();
  let rest = userIds;
  return retryOnConflict("users", async () => {
    const users = (await User.getMany(organization, rest)).filter(User.isKnown);
    const units = users.map((user) => ({ user, writes: User.removal(organization, user) }));
    const written = await commitEach(units, (ended) => ({
      jobs: [
        userPurgeJob(
          workspace,
          ended.map(({ user }) => ({ ...organization, userId: user.userId, generation: User.generationOf(user) })),
        ),
      ],
      events: ended
        .filter(({ user }) => User.isKnown(user))
        .map(({ user: { userId } }) => ({ type: "user.delete", workspace, organizationId, data: { userId } })),
    }));
    for (const [index, user] of users.entries()) if (written[index] && User.isKnown(user)) deleted.add(user.userId);
    // The other users have changed since they were read.
    rest = users.filter((_, index) => !written[index]).map(({ userId }) => userId);
    return rest.length === 0 ? deleted : conflict;
  });
}

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

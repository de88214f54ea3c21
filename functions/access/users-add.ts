import * as z from "zod/mini";
import { refuseBeingErased } from "../../lib/access/being-erased.ts";
import { followMigrations, grantOf, loadTargets, resourceGrant, type Targets } from "../../lib/access/grants.ts";
import { ensureOrganization } from "../../lib/content/require-organization.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, distinctBy, done, failed } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { ItemResult, UserFields } from "../../lib/schema/access.ts";
import { Flag, Id, listOf, optional } from "../../lib/schema/primitives.ts";
import { notBoth, resourceOf } from "../../lib/schema/resource.ts";
import * as User from "../../lib/store/user.ts";

export const usersAdd = endpoint({
  name: "users-add",
  path: "/v2/users/add",
  group: "access",
  summary: "Add users to an organization, with a role on it or on one folder or document.",
  grants: ["table:read", "table:write"],
  events: ["organization.add", "user.add"],
  errors: ["NOT_FOUND"],
  data: z
    .object({
      organizationId: Id,
      createOrganization: optional(Flag),
      documentId: optional(Id),
      folderId: optional(Id),
      users: listOf(UserFields),
    })
    .check(notBoth),
  example: {
    organizationId: "acme",
    createOrganization: true,
    users: [{ userId: "alice", name: "Alice", email: "alice@example.com" }],
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Users added.",

  async handle({ data, caller }) {
    const { workspace } = caller;
    const { organizationId } = data;
    const organization = { workspace, organizationId };
    const users = distinctBy(data.users, (user) => user.userId);
    const resource = resourceOf(data);
    await ensureOrganization(organization, data.createOrganization);
    const documentIds = resource?.type === "document" ? [resource.id] : [];
    const existing = new Set<string>();
    let rest = users;
    await retryOnConflict("users", async () => {
      const ids = rest.map(({ userId }) => userId);
      const targets = await loadTargets(organization, ids, documentIds);
      refuseBeingErased(targets.users.values());
      const units = rest.map((fields) => {
        const { userId, name, email, isAdmin, ...rights } = fields;
        const profile = { name, email };
        const change = resource ? { profile } : { profile, grant: { ...grantOf(rights), isAdmin } };
        const asRead = { generation: targets.users.get(userId)?.generation };
        const user = User.change({ ...organization, userId }, change, "new", asRead);
        const grant = (now: Targets) => (resource ? resourceGrant(now, userId, resource, grantOf(rights)) : []);
        return { userId, fields, grant, writes: [user, ...grant(targets)] };
      });
      const outcome = await commitEach(units, (added) => ({
        events: added.map(({ userId }) => ({ type: "user.add", workspace, organizationId, data: { userId } })),
      }));
      const added = units.filter((_, index) => outcome[index]);
      await followMigrations(targets, (now) => commitEach(added.map(({ grant }) => ({ writes: grant(now) }))));
      const failedUnits = units.filter((_, index) => !outcome[index]);
      for (const { userId } of failedUnits) if (User.hasProfile(targets.users.get(userId))) existing.add(userId);
      // The others have changed since they were read.
      rest = failedUnits.filter(({ userId }) => !existing.has(userId)).map(({ fields }) => fields);
      return rest.length === 0 ? undefined : conflict;
    });
    return byId(
      users.map(({ userId: id }) => [
        id,
        existing.has(id) ? failed(id, "already-exists", "The user already exists.") : done(id, "User added."),
      ]),
    );
  },
});
export const handler = lambda(usersAdd);

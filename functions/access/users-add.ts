import * as z from "zod/mini";
import { followMigrations, grantOf, loadTargets, resourceGrant, type Targets } from "../../lib/access/grants.ts";
import { ensureOrganization } from "../../lib/content/require-organization.ts";
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
    const ids = users.map((user) => user.userId);
    const documentIds = resource?.type === "document" ? [resource.id] : [];
    const targets = await loadTargets(organization, ids, documentIds);
    const units = users.map(({ userId, name, email, isAdmin, ...rest }) => {
      const profile = { name, email };
      const change = resource ? { profile } : { profile, grant: { ...grantOf(rest), isAdmin } };
      const user = User.change({ ...organization, userId }, change, "new");
      const grant = (targets: Targets) => (resource ? resourceGrant(targets, userId, resource, grantOf(rest)) : []);
      return { userId, grant, writes: [user, ...grant(targets)] };
    });
    const outcome = await commitEach(units, (added) => ({
      events: added.map(({ userId }) => ({ type: "user.add", workspace, organizationId, data: { userId } })),
    }));
    const added = units.filter((_, index) => outcome[index]);
    await followMigrations(targets, (targets) => commitEach(added.map(({ grant }) => ({ writes: grant(targets) }))));
    return byId(
      ids.map((id, index) => [
        id,
        outcome[index] ? done(id, "User added.") : failed(id, "already-exists", "The user already exists."),
      ]),
    );
  },
});
export const handler = lambda(usersAdd);

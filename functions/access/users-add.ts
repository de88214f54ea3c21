import * as z from "zod/mini";
import { grantOf, loadTargets, resourceGrant } from "../../lib/access/grants.ts";
import * as Table from "../../lib/dynamodb/table.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, distinctBy, done, failed } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { ItemResult, UserFields } from "../../lib/schema/access.ts";
import { Flag, Id, listOf, optional } from "../../lib/schema/primitives.ts";
import { notBoth, resourceOf } from "../../lib/schema/resource.ts";
import * as Organization from "../../lib/store/organization.ts";
import * as User from "../../lib/store/user.ts";

export const usersAdd = endpoint({
  name: "users-add",
  path: "/v2/users/add",
  group: "access",
  summary: "Add users to an organization, with access to it or to one folder or document.",
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
    const users = distinctBy(data.users, (user) => user.userId);
    const resource = resourceOf(data);
    await Organization.ensure(workspace, organizationId, data.createOrganization);
    const ids = users.map((user) => user.userId);
    const documentIds = resource?.type === "document" ? [resource.id] : [];
    const targets = await loadTargets(workspace, organizationId, ids, documentIds);
    const units = users.map(({ userId, name, email, isAdmin, ...rest }) => {
      const profile = { name, email };
      const change = resource ? { profile } : { profile, grant: { ...grantOf(rest), isAdmin } };
      const user = User.change(workspace, organizationId, userId, change, "new");
      const part = resource && resourceGrant(workspace, organizationId, targets, userId, resource, grantOf(rest));
      return { userId, writes: part ? [user, part] : [user] };
    });
    const outcome = await Table.commitEach(units, (added) => ({
      events: added.map(({ userId }) => ({ type: "user.add", workspace, organizationId, data: { userId } })),
    }));
    return byId(
      ids.map((id, index) => [
        id,
        outcome[index] ? done(id, "User added.") : failed(id, "already-exists", "The user already exists."),
      ]),
    );
  },
});
export const handler = lambda(usersAdd);

import * as z from "zod/mini";
import { grantsOn, loadTargets } from "../../lib/access/grants.ts";
import { updateOf } from "../../lib/access/update.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, distinctBy, done, failed } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { ItemResult, UserFields } from "../../lib/schema/access.ts";
import { Id, listOf, optional } from "../../lib/schema/primitives.ts";
import { notBoth, resourceOf } from "../../lib/schema/resource.ts";

const refusals = {
  "nothing-to-update": "The entry has only a userId: send at least one field to update.",
  "no-grant": "The user has no active grant to update: send an accessRole.",
  "not-found": "The user does not exist.",
};

export const usersUpdate = endpoint({
  name: "users-update",
  path: "/v2/users/update",
  group: "access",
  contract: 16,
  summary: "Update users of an organization, and their role on it or on one folder or document.",
  grants: ["table:read", "table:write"],
  events: ["user.update"],
  data: z
    .object({ organizationId: Id, documentId: optional(Id), folderId: optional(Id), users: listOf(UserFields) })
    .check(notBoth),
  example: { organizationId: "acme", folderId: "plans", users: [{ userId: "alice", accessRole: "viewer" }] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Users updated.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const users = distinctBy(data.users, (user) => user.userId);
    const ids = users.map((user) => user.userId);
    const resource = resourceOf(data);
    const documentIds = resource?.type === "document" ? [resource.id] : [];
    const targets = await loadTargets({ workspace, organizationId }, ids, documentIds);
    const grants = resource ? await grantsOn(targets, resource, ids) : [];
    const update = { resource, targets, grants: new Map(ids.map((id, index) => [id, grants[index]])) };
    const planned = users.map((user) => ({ userId: user.userId, writes: updateOf(update, user) }));
    const units = planned.flatMap(({ userId, writes }) => (Array.isArray(writes) ? [{ userId, writes }] : []));
    const outcome = await commitEach(units, (updated) => ({
      events: updated.map(({ userId }) => ({ type: "user.update", workspace, organizationId, data: { userId } })),
    }));
    const refused = new Map<string, keyof typeof refusals>();
    for (const { userId, writes } of planned) if (!Array.isArray(writes)) refused.set(userId, writes);
    for (const [index, { userId }] of units.entries()) if (!outcome[index]) refused.set(userId, "not-found");
    return byId(
      ids.map((id) => {
        const code = refused.get(id);
        return [id, code ? failed(id, code, refusals[code]) : done(id, "User updated.")];
      }),
    );
  },
});
export const handler = lambda(usersUpdate);

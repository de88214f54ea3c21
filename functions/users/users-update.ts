import * as z from "zod/mini";
import { type Refusal, updateUsers } from "../../lib/access/update-users.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { propertiesBytesMax, UserUpdate } from "../../lib/schema/access.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, distinctBy, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { Id, listOf, optional } from "../../lib/schema/primitives.ts";
import { notBoth, ofIdleAdmin, resourceOf } from "../../lib/schema/resource.ts";

const refusals: Record<Exclude<Refusal, "resource-not-found">, string> = {
  "nothing-to-update": "The entry has no field to update: send at least one.",
  "no-grant": "The user has no active grant to update: send an accessRole.",
  "not-found": "The user does not exist: add it with users/add.",
  "properties-too-large": `All further fields of a user together must have at most ${propertiesBytesMax} bytes as JSON.`,
};

export const usersUpdate = endpoint({
  name: "users-update",
  path: "/v2/users/update",
  contract: 16,
  summary: "Update users",
  description: "Update users of an organization, and their role on it or on one folder or document.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["permission.update", "user.update"],
  data: z
    .object({
      organizationId: OrganizationId,
      documentId: optional(Id).check(z.describe("Changes the role on this document instead of the organization.")),
      folderId: optional(Id).check(z.describe("Changes the role on this folder instead of the organization.")),
      users: listOf(UserUpdate).check(z.describe("The changes, one for each user. Omitted fields keep their values.")),
    })
    .check(notBoth),
  example: {
    organizationId: "acme",
    folderId: "plans",
    users: [{ userId: "bob", accessRole: "viewer", team: "marketing" }],
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Users updated.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const users = distinctBy(data.users, (user) => user.userId);
    const resource = resourceOf(data);
    const refused = await updateUsers({ workspace, organizationId }, resource, users);
    return byId(
      users.map(({ userId: id, isAdmin }): [string, ItemResult] => {
        const code = refused.get(id);
        if (code === "resource-not-found")
          return [id, failed(id, "not-found", `The ${resource?.type} does not exist.`)];
        if (code) return [id, failed(id, code, `${refusals[code]}${ofIdleAdmin(resource, isAdmin)}`)];
        return [id, done(id, `User updated.${ofIdleAdmin(resource, isAdmin)}`)];
      }),
    );
  },
});
export const handler = lambda(usersUpdate);

import * as z from "zod/mini";
import { addUsers, type Outcome } from "../../lib/access/add-users.ts";
import { ensureOrganization } from "../../lib/content/existing.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { UserFields } from "../../lib/schema/access.ts";
import { CreateOrganization, OrganizationId } from "../../lib/schema/fields.ts";
import { byId, distinctBy, done, failed, resultWith } from "../../lib/schema/item-result.ts";
import { Id, listOf, optional } from "../../lib/schema/primitives.ts";
import { notBoth, ofIdleAdmin, resourceOf } from "../../lib/schema/resource.ts";

const UserResult = resultWith(
  { id: z.string().check(z.describe("The id of the user, as in the request.")) },
  {
    code: z.optional(
      z
        .enum(["organization-not-found", "folder-not-found", "document-not-found"])
        .check(z.describe("This does not exist yet. The role takes effect when it is added.")),
    ),
  },
);
type UserResult = z.output<typeof UserResult>;

export const usersAdd = endpoint({
  name: "users-add",
  path: "/v2/users/add",
  summary: "Add users",
  description:
    "Add users to an organization, with a role on it or on one folder or document; existing users without a role there get it.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["organization.add", "permission.update", "user.add"],
  data: z
    .object({
      organizationId: OrganizationId,
      createOrganization: CreateOrganization,
      documentId: optional(Id).check(z.describe("Gives the role on this document instead of the organization.")),
      folderId: optional(Id).check(z.describe("Gives the role on this folder instead of the organization.")),
      users: listOf(UserFields).check(
        z.describe("The users to add, with the role that each gets. The role's default is editor."),
      ),
    })
    .check(notBoth),
  example: {
    organizationId: "acme",
    users: [
      { userId: "alice", name: "Alice Meyer", email: "alice@example.com", isAdmin: true },
      { userId: "bob", name: "Bob Okoro", email: "bob@example.com", accessRole: "viewer" },
      { userId: "carol", name: "Carol Silva", email: "carol@example.com" },
    ],
  },
  reply: z.record(z.string(), UserResult),
  timeoutSeconds: 25,
  message: "Users added.",

  async handle({ data, caller }) {
    const { organizationId } = data;
    const organization = { workspace: caller.workspace, organizationId };
    const users = distinctBy(data.users, (user) => user.userId);
    const resource = resourceOf(data);
    const ensure = () => ensureOrganization(organization, data.createOrganization);
    const { outcomes, isMissing } = await addUsers(organization, resource, users, ensure);
    const what = resource?.type ?? "organization";
    const messages = messagesOf(what, isMissing);
    return byId(
      users.map(({ userId: id, isAdmin }): [string, UserResult] => {
        const outcome = outcomes.get(id) as Outcome;
        if (outcome === "already-exists") return [id, failed(id, outcome, messages[outcome])];
        const result = done(id, messages[outcome] + ofIdleAdmin(resource, isAdmin));
        return [id, isMissing ? { ...result, code: `${what}-not-found` as const } : result];
      }),
    );
  },
});
export const handler = lambda(usersAdd);

function messagesOf(what: string, isMissing: boolean): Record<Outcome, string> {
  const later = isMissing ? ` The ${what} does not exist: the role takes effect when it is added.` : "";
  const change = isMissing ? "permissions/add" : "users/update";
  return {
    added: `User added.${later}`,
    "added-with-role": `User added. The user keeps its role on the ${what}.${later}`,
    granted: `The user already exists and keeps its profile. The role on the ${what} was added.${later}`,
    "already-exists": `The user already exists, with a role on the ${what}. Change the role with ${change}.`,
  };
}

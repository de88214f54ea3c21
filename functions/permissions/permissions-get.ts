import * as z from "zod/mini";
import { keepAnswers } from "../../lib/access/keep-answers.ts";
import { asUsersSee, isComplete, permissionsOf } from "../../lib/access/permissions-reply.ts";
import { asIfAllExisted, loadSubjects } from "../../lib/access/resolve.ts";
import { resolverOf } from "../../lib/access/resolver.ts";
import { forUsers } from "../../lib/browser/gate.ts";
import { ApiError, noOrganization } from "../../lib/errors.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { actor, unsentByUsers } from "../../lib/schema/for-users.ts";
import { mustBeList, mustHaveAtMost } from "../../lib/schema/messages.ts";
import { Permissions } from "../../lib/schema/permissions.ts";
import { distinct, Flag, Id, ids, optional } from "../../lib/schema/primitives.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";

/** Users × resources of one call (DECISIONS.md#bounds-of-bulk-calls). */
const entriesMax = 10_000;

const hasFewEntries = z.refine<{
  userIds: string[];
  folderIds?: string[] | undefined;
  documentIds?: string[] | undefined;
}>(
  ({ userIds, folderIds = [], documentIds = [] }) => {
    const resources = distinct(folderIds).length + distinct(documentIds).length;
    return distinct(userIds).length * Math.max(1, resources) <= entriesMax;
  },
  {
    error: `Users times resources must be at most ${entriesMax}.`,
    path: ["userIds"],
    when: whenValid("userIds", "folderIds", "documentIds"),
  },
);

export const permissionsGet = endpoint({
  name: "permissions-get",
  path: "/v2/auth/permissions/get",
  contract: 1,
  summary: "Get permissions",
  description:
    "Get the resolved permissions of users on an organization, its folders and documents. With explain, each entry says what has decided.",
  settings: ["access", "permissionProvider"],
  users: "self",
  grants: ["table:read", "table:slots", "key:unseal:permission-provider"],
  callsOut: true,
  errors: ["NOT_FOUND"],
  data: z
    .object({
      organizationId: OrganizationId,
      userIds: actor(ids().check(z.describe("The users to resolve. Users times resources are at most 10,000."))),
      folderIds: optional(z.array(Id, mustBeList).check(z.maxLength(1_000, mustHaveAtMost(1_000)))).check(
        z.describe("The folders to resolve. Default: none."),
      ),
      documentIds: optional(z.array(Id, mustBeList).check(z.maxLength(1_000, mustHaveAtMost(1_000)))).check(
        z.describe("The documents to resolve. Default: none. A user names at most 100 documents and folders."),
      ),
      explain: unsentByUsers(optional(Flag.check(z.describe("Whether each entry says what has decided.")))),
    })
    .check(hasFewEntries),
  example: {
    organizationId: "acme",
    userIds: ["alice", "bob"],
    folderIds: ["plans"],
    documentIds: ["plan"],
    explain: true,
  },
  reply: Permissions,
  message: "Permissions resolved.",
  timeoutSeconds: 25,

  async handle({ data, caller }) {
    const askedAt = Date.now();
    const question = {
      workspace: caller.workspace,
      organizationId: data.organizationId,
      userIds: distinct(data.userIds),
      folderIds: distinct(data.folderIds ?? []),
      documentIds: distinct(data.documentIds ?? []),
    };
    const [subjects, { defaultAccessType }, provider] = await Promise.all([
      loadSubjects(question),
      caller.setting("access"),
      caller.setting("permissionProvider"),
    ]);
    const asked = caller.user ? asIfAllExisted(subjects) : subjects;
    const resolver = await resolverOf(question, asked, provider, defaultAccessType, "provider");
    const permissions = permissionsOf(question, asked, resolver, data.explain === true);
    if (caller.user) {
      const own = permissions[caller.user.userId];
      if (provider.usePermissionProvider) await keepAnswers(question, own?.documents ?? {}, askedAt);
      return asUsersSee(permissions, subjects);
    }
    if (isComplete(subjects)) return permissions;
    if (question.folderIds.length + question.documentIds.length === 0) throw noOrganization();
    throw new ApiError("NOT_FOUND", "A folder or a document of the request does not exist.", {
      details: permissions,
    });
  },
});
export const handler = readLambda(permissionsGet, forUsers);

import * as z from "zod/mini";
import { answerOf, isComplete } from "../../lib/access/answer.ts";
import { loadSubjects } from "../../lib/access/resolve.ts";
import { resolverOf } from "../../lib/access/resolver.ts";
import { ApiError, invalidField } from "../../lib/errors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { Permissions } from "../../lib/schema/permissions.ts";
import { distinct, Id, ids, optional } from "../../lib/schema/primitives.ts";

/** Users × resources of one call (decision T10). */
const entriesMax = 10_000;

export const permissionsGet = endpoint({
  name: "permissions-get",
  path: "/v2/auth/permissions/get",
  group: "access",
  contract: 1,
  summary: "Get the resolved permissions of users on an organization, its folders and documents.",
  settings: ["access", "permissionProvider"],
  grants: ["table:read", "key:unseal"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: Id,
    userIds: ids(),
    folderIds: optional(z.array(Id, "Must be a list.").check(z.maxLength(1_000, "Must have at most 1000 entries."))),
    documentIds: optional(z.array(Id, "Must be a list.").check(z.maxLength(1_000, "Must have at most 1000 entries."))),
  }),
  example: { organizationId: "acme", userIds: ["alice"], folderIds: ["plans"], documentIds: ["plan"] },
  reply: Permissions,
  message: "Permissions resolved.",
  timeoutSeconds: 25,

  async handle({ data, caller }) {
    const question = {
      workspace: caller.workspace,
      organizationId: data.organizationId,
      userIds: distinct(data.userIds),
      folderIds: distinct(data.folderIds ?? []),
      documentIds: distinct(data.documentIds ?? []),
    };
    const resources = question.folderIds.length + question.documentIds.length;
    if (question.userIds.length * Math.max(1, resources) > entriesMax) {
      throw invalidField(["userIds"], `Users times resources must be at most ${entriesMax}.`);
    }
    const access = caller.setting("access").then((setting) => setting.defaultAccessType);
    const subjects = await loadSubjects(question, access);
    const decide = await resolverOf(question, subjects, await caller.setting("permissionProvider"), await access);
    const permissions = answerOf(question, subjects, decide);
    if (isComplete(subjects)) return permissions;
    throw new ApiError("NOT_FOUND", "Some of what was asked for does not exist.", { details: permissions });
  },
});
export const handler = readLambda(permissionsGet);

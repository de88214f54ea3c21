// While users are being erased, no call gives them anything. Then the id erased-user stands for them. Each field of a write
// that takes a user refuses this id, or is listed here.
import { expect, it } from "vitest";
import { documentsDataAdd } from "../../functions/comments/documents-data-add.ts";
import { documentsDataGet } from "../../functions/comments/documents-data-get.ts";
import { documentsAdd } from "../../functions/documents/documents-add.ts";
import { usersDataDelete } from "../../functions/personal-data/users-data-delete.ts";
import { endpoints } from "../../infra/deployables.ts";
import { requestExample } from "../../infra/openapi/operation.ts";
import { currentKey } from "../../lib/access/signing-keys.ts";
import { erasedUserId } from "../../lib/schema/fields.ts";
import { tokenKeys } from "../../lib/store/access/signing-key.ts";
import { call, must, newWorkspace } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { callValid, posts } from "../support/contract/requests.ts";
import { fieldsOf, withValue } from "../support/contract/schema-fields.ts";
import { expectRefused, issuesOf, pathsOf, storedOf } from "../support/refusal.ts";
import { newOrganization, organizationId } from "../support/workspace.ts";

/** Content that a client can have read and copies. */
const copied = [
  "/v2/commentannotations/comments/add comments.0.from.userId",
  "/v2/commentannotations/comments/add comments.0.taggedUsers.0.userId",
  "/v2/commentannotations/comments/update taggedUsers.0.userId",
  "/v2/commentannotations/update update.assignedTo.userId",
  "/v2/memory/judgments/add judgments.0.actionUser.userId",
  "/v2/notifications/add displayHeadlineMessageTemplateData.actionUser.userId",
  "/v2/organizations/documents/data/add comments.0.assignedTo.userId",
  "/v2/organizations/documents/data/add comments.0.comments.0.from.userId",
  "/v2/organizations/documents/data/add comments.0.comments.0.taggedUsers.0.userId",
  "/v2/organizations/documents/data/add comments.0.from.userId",
  "/v2/organizations/documents/data/add reactions.0.from.userId",
  "/v2/organizations/documents/data/add recordings.0.from.userId",
];

/** These find no such user, or take something from the user. */
const unknown = [
  "/v1/notifications/config/set userIds.0",
  "/v1/organizations/usergroups/users/add userIds.0",
  "/v1/organizations/usergroups/users/delete userIds.0",
  "/v2/auth/permissions/remove user.userId",
  "/v2/live/close userId",
  "/v2/notifications/delete userId",
  "/v2/notifications/read userId",
  "/v2/presence/delete userIds.0",
  "/v2/users/delete userIds.0",
];

it("is refused where a user gets something, does something or is erased", async () => {
  const as = await newWorkspace();
  const accepted: string[] = [];
  for (const endpoint of endpoints.filter(({ isWrite }) => isWrite)) {
    for (const { path } of fieldsOf(endpoint.data).filter(({ path }) => /userIds?(?:\.0)?$/.test(path.join(".")))) {
      if (path.at(-1) === "userIds") continue;
      const reply = await call(endpoint, {
        as,
        data: withValue(requestExample(endpoint) as object, path, erasedUserId),
      });
      if (!pathsOf(reply).includes(path.join("."))) accepted.push(`${endpoint.path} ${path.join(".")}`);
      else expect(issuesOf(reply)[0]?.message).toBe("The id erased-user stands for erased users. Use another id.");
    }
  }
  expect(accepted.sort()).toEqual([...copied, ...unknown].sort());
});

const giving = ["permission.update", "user.update", "usergroup.user_add"];
/** They only take. */
const taking = ["permissions-remove", "users-delete"];

it.each(posts.filter(({ name, events }) => events.some((each) => giving.includes(each)) && !taking.includes(name)))(
  "$name is ABORTED while its user is being erased, and changes nothing",
  async (endpoint) => {
    const as = await furnishedWorkspace(endpoint);
    await must(usersDataDelete, { as, data: { userIds: ["alice", "new"] } });
    // The first token of a workspace makes its key.
    await currentKey(tokenKeys(as.apiKey));
    const before = await storedOf(as);
    expectRefused(await callValid(endpoint, { as }), "ABORTED");
    expect(await storedOf(as)).toEqual(before);
  },
);

it("comes back as it was read in content that is copied", async () => {
  const as = await newOrganization();
  await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId: "d" }] } });
  const from = { userId: erasedUserId };
  const comments = [{ annotationId: "a", from, comments: [{ commentId: "c", from: { userId: "ann" }, text: "Yes." }] }];
  const where = { organizationId, documentId: "d", location: { id: "l" } };
  await must(documentsDataAdd, { as, data: { ...where, comments } });
  const read = await must(documentsDataGet, { as, data: { organizationId, documentId: "d", kind: "comments" } });
  expect(JSON.stringify(read)).toContain(erasedUserId);
});

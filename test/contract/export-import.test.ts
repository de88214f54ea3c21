// What the endpoints return of a workspace is all that they need to make it again.
import { expect, it } from "vitest";
import { documentsDataAdd } from "../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../functions/documents/documents-add.ts";
import { crdtAdd } from "../../functions/editor-content/crdt-add.ts";
import { foldersAdd } from "../../functions/folders/folders-add.ts";
import { notificationsConfigSet } from "../../functions/notifications/notifications-config-set.ts";
import { organizationsAdd } from "../../functions/organizations/organizations-add.ts";
import { presenceAdd } from "../../functions/presence/presence-add.ts";
import { usergroupUsersAdd } from "../../functions/user-groups/usergroup-users-add.ts";
import { usergroupsAdd } from "../../functions/user-groups/usergroups-add.ts";
import { usersAdd } from "../../functions/users/users-add.ts";
import { usersUpdate } from "../../functions/users/users-update.ts";
import { type Credentials, must, newWorkspace } from "../support/call.ts";
import { exportAll, importAll } from "../support/whole-export.ts";

const organizationId = "o #1";
const [ann, ben, eve] = ["ann", "ben/🦜", "__proto__"] as const;
const expiresAt = 4_000_000_000;
const createdAt = "2026-01-31T12:00:00.000Z";

async function furnish(as: Credentials): Promise<void> {
  const send = (endpoint: { name: string }, data: object) => must(endpoint, { as, data: { organizationId, ...data } });
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId, organizationName: "Acme" }] } });
  await send(foldersAdd, {
    folders: [
      { folderId: "f", folderName: "Plans", accessType: "restricted" },
      { folderId: "g", parentFolderId: "f" },
      { folderId: "h", parentFolderId: "g", accessType: "public" },
    ],
  });
  await send(documentsAdd, { documents: [{ documentId: "d", documentName: "Plan" }, { documentId: "%" }] });
  await send(documentsAdd, { folderId: "g", documents: [{ documentId: "e", accessType: "public" }] });
  const context = { access: { team: ["a:b", 7], region: "north" } };
  await send(usersAdd, {
    users: [
      { userId: ann, name: "Ann", email: "ann@example.com", isAdmin: true, context },
      { userId: ben, accessRole: "viewer", expiresAt },
    ],
  });
  await send(usersAdd, { folderId: "g", users: [{ userId: eve, name: "Eve", accessRole: "viewer", expiresAt }] });
  await send(usersAdd, { documentId: "e", users: [{ userId: ben, accessRole: "viewer" }] });
  await send(usersUpdate, { users: [{ userId: ann, photoUrl: "https://example.com/a.png", color: { dark: "teal" } }] });
  await send(usergroupsAdd, {
    organizationUserGroups: [{ organizationUserGroupId: "x", organizationUserGroupName: "X" }],
  });
  await send(usergroupsAdd, { organizationUserGroups: [{ organizationUserGroupId: "y" }] });
  await send(usergroupUsersAdd, { organizationUserGroupId: "x", userIds: [ann, ben] });
  await send(documentsDataAdd, {
    documentId: "d",
    location: { id: "page-1", locationName: "Page 1", zoom: 1.5 },
    comments: [
      {
        annotationId: "a1",
        from: { userId: ann, name: "Ann" },
        status: "OPEN",
        priority: "P1",
        assignedTo: { userId: ben },
        comments: [
          { commentId: "c1", from: { userId: ann }, text: "Shall we?", taggedUsers: [{ userId: eve }], createdAt },
        ],
        createdAt,
        metadata: { colour: "red", nested: [{ deep: null }] },
      },
    ],
    reactions: [{ reactionId: "r1", from: { userId: ben }, icon: "👍", annotationId: "a1", createdAt }],
  });
  const recordings = [
    { recordingId: "v1", from: { userId: ann }, type: "video", url: "https://example.com/1", createdAt },
  ];
  await send(documentsDataAdd, { documentId: "e", location: { locationName: "Top" }, recordings });
  const title = '<heading level="2">Plan <bold>B</bold></heading>';
  await send(crdtAdd, { documentId: "d", editorId: "body", type: "xml", contentKey: "default", data: title });
  await send(crdtAdd, { documentId: "d", editorId: "state", type: "map", data: { a: 1, b: [true, null, { c: "x" }] } });
  await send(presenceAdd, { documentId: "d", users: [{ userId: ann, name: "Ann", metadata: { color: "teal" } }] });
  await send(notificationsConfigSet, { documentIds: ["d"], userIds: [ann], config: { inbox: "MINE", slack: "NONE" } });
  await send(notificationsConfigSet, { documentIds: [], userIds: [ben], config: { email: "NONE" } });
}

it("an export of one workspace, imported into another, gives an equal export", async () => {
  const [one, other] = [await newWorkspace(), await newWorkspace()];
  await furnish(one);
  const exported = await exportAll(one, organizationId);
  await importAll(other, exported);
  expect(await exportAll(other, organizationId)).toEqual(exported);
  // Nothing of what was added is missing in the first export.
  const text = JSON.stringify(exported);
  const added = [
    "Acme",
    "Plans",
    "h",
    "photoUrl",
    "team:a:b",
    "team:7",
    "a1",
    "c1",
    "r1",
    "v1",
    "zoom",
    "level",
    "teal",
  ];
  for (const each of [...added, ann, ben, eve]) expect(text).toContain(each);
  expect(exported.preferences).toContainEqual(
    expect.objectContaining({ userId: ben, documentId: null, config: expect.objectContaining({ email: "NONE" }) }),
  );
});

// What belongs to others, and what only editors may do.
import { beforeEach, expect, it } from "vitest";
import * as Y from "yjs";
import { crdtUpdate } from "../../../../functions/editor-content/crdt-update.ts";
import { permissionsAdd } from "../../../../functions/permissions/permissions-add.ts";
import { type Attacked, newAttacked } from "../../../support/attacked.ts";
import { must } from "../../../support/call.ts";
import { fakeDates } from "../../../support/fake-dates.ts";
import { expectRefused } from "../../../support/refusal.ts";
import { byName, dataOf, requestsOn } from "../../../support/user-requests.ts";
import { callAs } from "../../../support/users.ts";
import { onDocument, organizationId } from "../../../support/workspace.ts";

fakeDates();

let attacked: Attacked;
beforeEach(async () => {
  attacked = await newAttacked();
});

const documentId = "d";
const location = { id: "1" };

/** Expects that the call changes nothing. Returns its reply. */
async function withoutEffect(token: string, name: string, data: object) {
  const before = await dataOf(attacked.as);
  const reply = await callAs(token, byName(name), data);
  expect(await dataOf(attacked.as)).toEqual(before);
  return reply;
}

const codeOf = (id: string, code: string) => ({ [id]: expect.objectContaining({ success: false, code }) });

it("an editor cannot change or delete the comment of another", async () => {
  const { ann } = attacked;
  const comment = { documentId, annotationId: "a" };
  for (const update of [{ text: "No" }, { metadata: { x: 1 } }, { taggedUsers: [] }])
    expectRefused(
      await withoutEffect(ann, "comments-update", { ...comment, commentId: "c", ...update }),
      "PERMISSION_DENIED",
    );
  const deletion = { ...comment, commentIds: ["c"] };
  expectRefused(await withoutEffect(ann, "comments-delete", deletion), "PERMISSION_DENIED");
  await must(byName("comments-add"), {
    as: attacked.as,
    data: { organizationId, ...comment, comments: [{ commentId: "mine", from: { userId: "ann" }, text: "?" }] },
  });
  const both = { ...comment, commentIds: ["mine", "c"] };
  expectRefused(await withoutEffect(ann, "comments-delete", both), "PERMISSION_DENIED");
  expect((await callAs(ann, byName("comments-delete"), { ...comment, commentIds: ["mine"] })).status).toBe(200);
});

it("an editor assigns and resolves the thread of another, and cannot change its metadata", async () => {
  const { ann, bob } = attacked;
  const update = (more: object) => ({ documentId, annotationIds: ["a"], update: more });
  for (const metadata of [{ x: "y".repeat(8_000) }, {}, null]) {
    const reply = await withoutEffect(ann, "commentannotations-update", update({ status: "RESOLVED", metadata }));
    expect(reply.data).toEqual(codeOf("a", "not-author"));
  }
  const works = [
    await callAs(
      ann,
      byName("commentannotations-update"),
      update({ status: "RESOLVED", assignedTo: { userId: "ann" } }),
    ),
    await callAs(bob, byName("commentannotations-update"), update({ metadata: { x: 1 } })),
  ];
  expect(works.map(({ data }) => data.a.success)).toEqual([true, true]);
});

it.each([
  ["comments", "a"],
  ["reactions", "r"],
  ["recordings", "v"],
])("an editor cannot delete or replace the %s of another", async (kind, id) => {
  const { ann } = attacked;
  const deletion = await withoutEffect(ann, "documents-data-delete", { documentId, kind, ids: [id] });
  expect(deletion.data).toEqual(codeOf(id, "not-author"));
  const items = [{ annotationId: id, reactionId: id, recordingId: id }];
  for (const place of [location, { id: "2" }, { locationName: "1" }]) {
    const reply = await withoutEffect(ann, "documents-data-add", { documentId, location: place, [kind]: items });
    expect(reply.data[kind], JSON.stringify(place)).toEqual(codeOf(id, "already-exists"));
  }
});

it("an editor cannot replace an own item either, or the comments that others have added to it", async () => {
  const { ann, bob } = attacked;
  const thread = { annotationId: "mine", comments: [{ commentId: "1", text: "?" }] };
  const add = (more: object) => ({ documentId, location, comments: [{ ...thread, ...more }] });
  await callAs(ann, byName("documents-data-add"), add({}));
  await callAs(bob, byName("comments-add"), {
    documentId,
    annotationId: "mine",
    comments: [{ commentId: "2", text: "!" }],
  });
  for (const more of [{}, { status: "RESOLVED" }, { comments: [] }]) {
    const reply = await withoutEffect(ann, "documents-data-add", add(more));
    expect(reply.data.comments).toEqual(codeOf("mine", "already-exists"));
  }
  const comments = [{ commentId: "2", text: "Mine" }];
  const reply = await withoutEffect(ann, "comments-add", { documentId, annotationId: "mine", comments });
  expect(reply.data).toEqual(codeOf("2", "already-exists"));
});

it("an id of another document or organization is a new one", async () => {
  const { ann, as } = attacked;
  await must(permissionsAdd, {
    as,
    data: { user: { userId: "ann" }, permissions: { resources: [onDocument("empty")] } },
  });
  await must(byName("documents-add"), { as, data: { organizationId, documents: [{ documentId: "empty" }] } });
  const on = { documentId: "empty", annotationId: "a" };
  const update = { documentId: "empty", annotationIds: ["a"], update: { status: "RESOLVED" } };
  expect((await withoutEffect(ann, "commentannotations-update", update)).data).toEqual(codeOf("a", "not-found"));
  expectRefused(await withoutEffect(ann, "comments-update", { ...on, commentId: "c", text: "?" }), "NOT_FOUND");
  expectRefused(await withoutEffect(ann, "comments-delete", { ...on, commentIds: ["c"] }), "NOT_FOUND");
  expectRefused(await withoutEffect(ann, "crdt-get", { documentId: "empty", editorId: "e" }), "NOT_FOUND");
  const listed = await withoutEffect(ann, "documents-data-get", { documentId: "empty", kind: "comments", ids: ["a"] });
  expect(listed.data.items).toEqual([]);
  const add = { documentId: "empty", location, comments: [{ annotationId: "a", comments: [{ commentId: "c" }] }] };
  expect((await callAs(ann, byName("documents-data-add"), add)).data.comments.a.success).toBe(true);
  const stored = await must(byName("documents-data-get"), {
    as,
    data: { organizationId, documentId, kind: "comments" },
  });
  expect(stored.items).toMatchObject([
    { from: { userId: "bob" }, comments: [{ from: { userId: "bob" }, text: "Secret" }] },
  ]);
});

it("the id of a deleted item is free, and the new item is the caller's", async () => {
  const { ann, bob, as } = attacked;
  const ofBob = { documentId, kind: "comments", ids: ["a"] };
  expect((await callAs(bob, byName("documents-data-delete"), ofBob)).data.a.success).toBe(true);
  await callAs(ann, byName("documents-data-add"), { documentId, location, comments: [{ annotationId: "a" }] });
  const stored = await must(byName("documents-data-get"), {
    as,
    data: { organizationId, documentId, kind: "comments" },
  });
  expect(stored.items).toMatchObject([{ annotationId: "a", from: { userId: "ann" } }]);
  expect((await withoutEffect(bob, "documents-data-delete", ofBob)).data).toEqual(codeOf("a", "not-author"));
});

it("the notifications of another are neither read nor deleted by their ids", async () => {
  const { ann, bob } = attacked;
  expect((await callAs(ann, byName("notifications-get"), {})).data.notifications).toEqual([]);
  const ids = { notificationIds: ["n"] };
  expect((await withoutEffect(ann, "notifications-read", ids)).data).toEqual(codeOf("n", "not-found"));
  await withoutEffect(ann, "notifications-delete", ids);
  const { notifications } = (await callAs(bob, byName("notifications-get"), {})).data;
  expect(notifications).toMatchObject([{ notificationId: "n", isRead: false }]);
});

it("the presence and the preferences of another stay as they are", async () => {
  const { ann, bob } = attacked;
  await callAs(ann, byName("presence-delete"), { documentId });
  await callAs(ann, byName("notifications-config-set"), { documentIds: [documentId], config: { inbox: "ALL" } });
  expect((await callAs(ann, byName("presence-get"), { documentId })).data.users).toMatchObject([{ userId: "bob" }]);
  const preference = await callAs(bob, byName("notifications-config-get"), { documentIds: [documentId] });
  expect(preference.data).toMatchObject([{ config: { inbox: "NONE" } }]);
});

it("a page cannot set what decides on access", async () => {
  const { eve, as } = attacked;
  const more = {
    accessType: "public",
    accessRole: "editor",
    isAdmin: true,
    permissions: { resources: [onDocument(documentId)] },
  };
  const reply = await callAs(eve, byName("presence-add"), { documentId, users: [{ ...more }], ...more });
  expect(reply.headers["x-ignored-fields"]).toContain("accessRole");
  expectRefused(
    await callAs(eve, byName("documents-data-add"), { ...requestsOn(documentId)["documents-data-add"], ...more }),
    "PERMISSION_DENIED",
  );
  const data = { organizationId, userIds: ["eve"], documentIds: [documentId] };
  const { eve: permissions } = await must(byName("permissions-get"), { as, data });
  expect(permissions.documents.d).toMatchObject({ accessRole: "viewer", accessType: "restricted" });
});

it("an inbox keeps what a server sent when the access to its document has ended, and the document is closed", async () => {
  const { bob, as } = attacked;
  const data = { user: { userId: "bob" }, permissions: { resources: [onDocument(documentId)] } };
  await must(byName("permissions-remove"), { as, data });
  const { notifications } = (await callAs(bob, byName("notifications-get"), {})).data;
  expect(notifications).toMatchObject([{ notificationId: "n", documentId, displayBodyMessage: "Secret" }]);
  expectRefused(await withoutEffect(bob, "documents-data-get", { documentId, kind: "comments" }), "PERMISSION_DENIED");
});

it.each([[["sub"]], [["list", "sub"]]])(
  "an editor adds no sub-document, with which others cannot write: %j",
  async (path) => {
    const doc = new Y.Doc();
    const map = doc.getMap("content");
    if (path.length === 1) map.set("sub", new Y.Doc());
    else map.set("list", Y.Array.from([new Y.Doc()]));
    const update = Buffer.from(Y.encodeStateAsUpdate(doc)).toString("base64");
    const given = { documentId, editorId: "e2", type: "map", update };
    const reply = await withoutEffect(attacked.ann, "crdt-update", given);
    expectRefused(reply, "INVALID_ARGUMENT", /sub-document/);
    expectRefused(await withoutEffect(attacked.eve, "crdt-update", given), "PERMISSION_DENIED", /no access/);
    await must(crdtUpdate, { as: attacked.as, data: { organizationId, ...given } });
  },
);

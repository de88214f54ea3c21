import { describe, expect, it, vi } from "vitest";
import { commentannotationsUpdate } from "../../../functions/comments/commentannotations-update.ts";
import { commentsAdd } from "../../../functions/comments/comments-add.ts";
import { commentsDelete } from "../../../functions/comments/comments-delete.ts";
import { commentsUpdate } from "../../../functions/comments/comments-update.ts";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsDataDelete } from "../../../functions/comments/documents-data-delete.ts";
import { documentsDataGet } from "../../../functions/comments/documents-data-get.ts";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { notificationsGet } from "../../../functions/notifications/notifications-get.ts";
import { permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { presenceAdd } from "../../../functions/presence/presence-add.ts";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import { tokensRevoke } from "../../../functions/user-tokens/tokens-revoke.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { domainsAdd } from "../../../functions/workspace-settings/domains-add.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { call, must } from "../../support/call.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../support/users.ts";
import { onDocument, organizationId } from "../../support/workspace.ts";

fakeDates();

const on = { documentId: "d" };
const thread = { annotationId: "a", comments: [{ commentId: "c", text: "Hello" }] };
const addThread = (token: string) =>
  callAs(token, documentsDataAdd, { ...on, location: { id: "1" }, comments: [thread] });
const denied = expect.objectContaining({ status: "PERMISSION_DENIED" });

describe("a user with a token", () => {
  it("adds a thread in the own name, and reads it without e-mail addresses", async () => {
    const as = await newWorkspaceForUsers();
    const ann = await tokenOf(as, "ann");
    expect((await addThread(ann)).data.comments).toEqual({ a: expect.objectContaining({ success: true }) });
    const seen = await callAs(ann, documentsDataGet, { ...on, kind: "comments" });
    const from = { userId: "ann", name: "The ann" };
    expect(seen.data.items).toMatchObject([{ annotationId: "a", from, comments: [{ commentId: "c", from }] }]);
    expect(JSON.stringify(seen.body)).not.toContain("@example.com");
    const stored = await must(documentsDataGet, { as, data: { organizationId, ...on, kind: "comments" } });
    expect(stored.items[0].from).toEqual({ ...from, email: "ann@example.com" });
  });

  it("adds items with the time of the call, and may repeat the addition later", async () => {
    const ann = await tokenOf(await newWorkspaceForUsers(), "ann");
    await addThread(ann);
    const { data } = await callAs(ann, documentsDataGet, { ...on, kind: "comments" });
    const { createdAt, comments } = data.items[0];
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(comments).toMatchObject([{ createdAt }]);
    vi.setSystemTime(Date.now() + 1_000);
    expect((await addThread(ann)).data.comments.a).toMatchObject({ success: true, message: "Unchanged." });
  });

  it("is refused in the name of another user, before anything is written", async () => {
    const as = await newWorkspaceForUsers();
    const ann = await tokenOf(as, "ann");
    const bob = { userId: "bob" };
    const calls = [
      callAs(ann, commentsAdd, { ...on, annotationId: "a", comments: [{ commentId: "x", from: bob, text: "?" }] }),
      callAs(ann, commentsAdd, { ...on, annotationId: "a", comments: [{ commentId: "x" }], actionUser: bob }),
      callAs(ann, presenceAdd, { ...on, users: [{ userId: "ann" }, bob] }),
      callAs(ann, notificationsGet, bob),
      callAs(ann, permissionsGet, { userIds: ["ann", "bob"] }),
    ];
    for (const { error } of await Promise.all(calls)) expect(error).toEqual(denied);
  });

  it("changes and deletes only the own comments", async () => {
    const as = await newWorkspaceForUsers();
    const [ann, bob] = [await tokenOf(as, "ann"), await tokenOf(as, "bob")];
    await addThread(ann);
    const comment = { ...on, annotationId: "a", commentId: "c" };
    expect((await callAs(bob, commentsUpdate, { ...comment, text: "No" })).error).toEqual(denied);
    expect((await callAs(bob, commentsDelete, { ...on, annotationId: "a", commentIds: ["c"] })).error).toEqual(denied);
    const deletion = await callAs(bob, documentsDataDelete, { ...on, kind: "comments", ids: ["a"] });
    expect(deletion.data.a).toMatchObject({ success: false, code: "not-author" });
    const again = await callAs(bob, documentsDataAdd, { ...on, location: { id: "1" }, comments: [thread] });
    expect(again.data.comments.a).toMatchObject({ success: false, code: "already-exists" });
    expect((await callAs(ann, commentsUpdate, { ...comment, text: "Yes" })).status).toBe(200);
    const update = { ...on, annotationIds: ["a"], update: { status: "RESOLVED" } };
    expect((await callAs(bob, commentannotationsUpdate, update)).data.a).toMatchObject({ success: true });
    expect((await callAs(ann, documentsDataDelete, { ...on, kind: "comments", ids: ["a"] })).data.a.success).toBe(true);
  });

  it("reads as a viewer, and writes nothing but the own presence", async () => {
    const as = await newWorkspaceForUsers();
    const eve = await tokenOf(as, "eve", "viewer");
    expect((await callAs(eve, documentsDataGet, { ...on, kind: "comments" })).status).toBe(200);
    expect((await callAs(eve, presenceAdd, on)).status).toBe(200);
    expect((await callAs(eve, presenceGet, on)).data.users).toMatchObject([{ userId: "eve" }]);
    expect((await addThread(eve)).error).toEqual(denied);
  });

  it("gets the same reply for a document that is missing and one that is forbidden", async () => {
    const as = await newWorkspaceForUsers();
    const ann = await tokenOf(as, "ann");
    const get = async (documentId: string) =>
      (await callAs(ann, documentsDataGet, { documentId, kind: "comments" })).body;
    expect(await get("hidden")).toEqual(await get("missing"));
    const { data } = await callAs(ann, permissionsGet, { documentIds: ["hidden", "missing", "d"] });
    const { hidden, missing, d } = data.ann.documents;
    expect([hidden, d]).toEqual([missing, expect.objectContaining({ accessRole: "editor" })]);
  });

  it("cannot call what is for servers, nor send a server's credentials too", async () => {
    const as = await newWorkspaceForUsers();
    const ann = await tokenOf(as, "ann");
    expect((await callAs(ann, documentsGet, {})).error).toEqual(denied);
    const both = { "x-service-api-key": as.apiKey, "x-service-auth-token": as.authToken };
    expect((await callAs(ann, presenceGet, on, both)).error).toEqual(denied);
    const other = { "x-service-api-key": (await newWorkspaceForUsers()).apiKey };
    expect((await callAs(ann, presenceGet, on, other)).error).toEqual(denied);
  });
});

describe("a token ends", () => {
  it("with a change of access, at once", async () => {
    const as = await newWorkspaceForUsers();
    const ann = await tokenOf(as, "ann");
    expect((await callAs(ann, presenceGet, on)).status).toBe(200);
    await must(permissionsRemove, {
      as,
      data: { user: { userId: "ann" }, permissions: { resources: [onDocument("d")] } },
    });
    expect((await callAs(ann, presenceGet, on)).error).toEqual(denied);
  });

  it("with the deletion of its user, and a later token works", async () => {
    const as = await newWorkspaceForUsers();
    const ann = await tokenOf(as, "ann");
    await must(usersDelete, { as, data: { organizationId, userIds: ["ann"] } });
    const later = await tokenOf(as, "ann");
    expect((await callAs(ann, presenceGet, on)).error).toEqual(denied);
    expect((await callAs(later, presenceGet, on)).status).toBe(200);
  });

  it("with a revocation in the same moment, for a container that does not know it, and a later token works", async () => {
    const as = await newWorkspaceForUsers();
    const ann = await tokenOf(as, "ann");
    await must(tokensRevoke, { as, data: { userId: "ann" } });
    expect(await callAs(ann, presenceGet, on)).toMatchObject({ status: 401, error: denied });
    expect((await callAs(await tokenOf(as, "ann"), presenceGet, on)).status).toBe(200);
  });

  it("when the switch browser is off", async () => {
    const as = await newWorkspaceForUsers();
    const ann = await tokenOf(as, "ann");
    await Setting.update({ workspace: as.apiKey }, "switches", { browser: false });
    expect((await callAs(ann, presenceGet, on)).error).toMatchObject({ status: "FAILED_PRECONDITION" });
  });
});

describe("a page", () => {
  it("gets an answer to its preflight without a read", async () => {
    const reply = await call(presenceGet, { method: "OPTIONS", headers: { origin: "https://example.com" } });
    expect(reply).toMatchObject({ status: 204, headers: { "access-control-allow-methods": "POST" } });
  });

  it("reads each reply, and may call only from an allowed domain", async () => {
    const as = await newWorkspaceForUsers();
    const ann = await tokenOf(as, "ann");
    const from = (origin: string) => callAs(ann, presenceGet, on, { origin });
    const refused = await from("https://example.com");
    expect(refused).toMatchObject({ status: 403, headers: { "access-control-allow-origin": "https://example.com" } });
    await must(domainsAdd, { as, data: { domains: ["example.com", "*.example.org", "localhost"] } });
    for (const origin of ["https://example.com", "https://a.example.org", "http://localhost:5173"]) {
      expect(await from(origin), origin).toMatchObject({
        status: 200,
        headers: { "access-control-allow-origin": origin },
      });
    }
    for (const origin of [
      ...[
        "null",
        "http://example.com",
        "https://example.com.evil.net",
        "https://evilexample.com",
        "https://example.com.",
      ],
      ...["https://user@example.com", "https://EXAMPLE.com", "https://example.org", "file://example.com", ""],
    ]) {
      expect((await from(origin)).error, origin).toEqual(denied);
    }
  });
});

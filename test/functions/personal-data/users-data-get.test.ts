import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { usersDataGet } from "../../../functions/personal-data/users-data-get.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { notificationEntity } from "../../../lib/store/notifications/notification.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { type Credentials, call, must, newWorkspace, type Reply } from "../../support/call.ts";
import {
  add,
  documentId,
  documentUidOf,
  exportOf,
  lists,
  newDocument,
  notifiedAt,
  notify,
  person,
  reaction,
  update,
} from "../../support/feature-data.ts";
import * as n from "../../support/notifications.ts";
import { newOrganization, organizationId } from "../../support/workspace.ts";

const [a, b] = [{ id: "a" }, { id: "b" }];
const get = (as: Credentials, more: object = {}): Promise<Reply> =>
  call(usersDataGet, { as, data: { organizationId, userId: "u", ...more } });
const empty = { profile: null, comments: [], reactions: [], recordings: [], notifications: [] };

afterEach(() => void vi.restoreAllMocks());

describe("OK", () => {
  it("returns empty lists and no token for an unknown user, organization or workspace", async () => {
    const [as, other] = [await newDocument(), await newWorkspace()];
    await add(as, a, { reactions: [reaction("r")] });
    const result = { status: "success", message: "User data retrieved.", data: empty, nextPageToken: null };
    expect((await get(as, { userId: "nobody" })).body).toEqual({ result });
    expect((await get(as, { organizationId: "missing" })).body).toEqual({ result });
    expect((await get(other)).body).toEqual({ result });
  });

  it("returns the profile, and the role while the grant is active", async () => {
    const as = await newOrganization();
    const users = [
      { userId: "u", name: "Ada", email: "ada@example.com", isAdmin: true },
      { userId: "v", expiresAt: 1 },
    ];
    await must(usersAdd, { as, data: { organizationId, users } });
    const createdAt = expect.stringMatching(/Z$/);
    const profile = { ...users[0], accessRole: "editor", createdAt };
    expect((await exportOf(as)).profile).toEqual(profile);
    expect((await exportOf(as, "v")).profile).toEqual({ userId: "v", isAdmin: false, createdAt });
  });

  it("returns the current location of an item after renames and merges", async () => {
    const as = await newDocument();
    await add(as, a, { comments: [{ annotationId: "x", from: person("u") }] });
    await update(as, a, b);
    await add(as, a, { reactions: [reaction("r")] });
    await update(as, b, { id: "a", page: 1 }, { merge: true });
    const where = { organizationId, documentId, location: { id: "a", page: 1 } };
    const exported = await exportOf(as);
    expect(exported.comments).toEqual([{ annotationId: "x", from: person("u"), ...where }]);
    expect(exported.reactions).toEqual([{ ...reaction("r"), ...where }]);
  });

  it("omits data of deleted documents, and items in which the user no longer takes part", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: [reaction("r")], comments: [{ annotationId: "x", from: person("u") }] });
    await notify(as, await documentUidOf(as), 1);
    await add(as, a, { comments: [{ annotationId: "x", from: person("v") }] });
    expect((await exportOf(as)).comments).toEqual([]);
    expect((await exportOf(as)).notifications).toHaveLength(1);
    await must(documentsDelete, { as, data: { organizationId, documentIds: [documentId] } });
    expect(await exportOf(as)).toEqual(empty);
  });

  it("returns notifications as their reader sees them, without purged ones", async () => {
    const as = await newDocument();
    const documentUid = await documentUidOf(as);
    await notify(as, documentUid, 2);
    const first = { workspace: as.apiKey, documentUid, at: notifiedAt, notificationId: "n0" };
    await commit([notificationEntity.delete(first)]);
    expect((await exportOf(as)).notifications).toEqual([
      {
        notificationId: "n1",
        organizationId,
        documentId,
        createdAt: notifiedAt,
        actionUser: { userId: "ann" },
        displayHeadlineMessageTemplate: "For {recipientUser}",
        displayHeadlineMessage: "For U",
        displayBodyMessage: "Look.",
        isNotificationResolverUsed: false,
      },
    ]);
    await notify(as, "deleted" as DocumentUid, 1);
    expect((await exportOf(as)).notifications).toHaveLength(1);
  });

  it("returns a headline as the inbox does, with the name of the profile", async () => {
    const as = await newDocument();
    await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u", name: "Ursula" }] } });
    const headline = { displayHeadlineMessageTemplate: "For { recipientUser }", displayBodyMessage: "Look." };
    await n.send(as, { ...headline, documentId, notifyAll: false, notifyUsers: [{ userId: "u" }] });
    const [exported] = (await exportOf(as)).notifications;
    const [shown] = (await n.inboxOf(as, "u")).notifications;
    expect(exported.displayHeadlineMessage).toBe("For Ursula");
    expect(shown.displayHeadlineMessage).toBe("For Ursula");
  });

  it("returns data that can be imported unchanged into another workspace", async () => {
    const [from, to] = [await newDocument(), await newDocument()];
    const metadata = JSON.parse('{"n":1e300,"small":5e-324,"deep":[[[null,true,""]]]}');
    const one = {
      commentId: "1",
      from: { userId: "v", name: "V" },
      text: "Hi 🦜",
      taggedUsers: [person("u")],
      metadata,
    };
    const thread = {
      annotationId: "x",
      from: { userId: "u", email: "u@example.com" },
      status: "OPEN",
      comments: [one],
    };
    await add(from, a, {
      comments: [thread],
      reactions: [{ ...reaction("r"), icon: "👍", createdAt: "2026-01-01T00:00:00Z" }],
    });
    await add(from, b, {
      recordings: [{ recordingId: "v", from: person("u"), durationSeconds: 0.1 }],
      reactions: [reaction("r")],
    });
    const exported = await exportOf(from);
    for (const location of [a, b]) {
      const here = (each: { location: { id: string } }) => each.location.id === location.id;
      const [comments, reactions, recordings] = lists.map((list) => exported[list].filter(here));
      await add(to, location, { comments, reactions, recordings, silent: true });
    }
    expect(await exportOf(to)).toEqual(exported);
    expect(exported.comments[0].comments[0].metadata.n).toBe(1e300);
  });
});

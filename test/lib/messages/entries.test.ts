// What a message tells of each event, when the annotation has changed since, or names nobody.
import { describe, expect, it } from "vitest";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { namesOf } from "../../../lib/messages/entries.ts";
import type { MessageEntry } from "../../../lib/messages/message-content.ts";
import { erasedUserId } from "../../../lib/schema/fields.ts";
import { type Credentials, must } from "../../support/call.ts";
import { addTo, updateComment, updateX } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add } from "../../support/feature-data.ts";
import { ann, bob, drained, fannedOut, mailbox, mention, withMail } from "../../support/messages.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

type Told = Extract<MessageEntry, { kind: "annotation" }>;

/** What bob is told, or another user. */
async function toldTo(as: Credentials, address = "bob@example.com"): Promise<Told[]> {
  later(121);
  const box = mailbox();
  await drained(as, box);
  return box.sent.filter((each) => each.address === address).flatMap(({ message }) => message.entries as Told[]);
}

describe("is personal", () => {
  it("no longer when the mention was removed before the message is sent", async () => {
    const as = await withMail();
    await add(as, { id: "page" }, { comments: [{ annotationId: "x", from: bob, comments: [] }] });
    await fannedOut(as);
    await addTo(as, [{ commentId: "c1", from: ann, text: "@Bob?", taggedUsers: [bob] }]);
    await fannedOut(as);
    await updateComment(as, "c1", { text: "Never mind.", taggedUsers: [] }, { actionUser: ann });
    expect(await toldTo(as)).toEqual([
      expect.objectContaining({ event: "comment.add", text: "Never mind.", isPersonal: false }),
    ]);
  });

  it("still when the annotation was assigned to somebody else before", async () => {
    const as = await withMail();
    await add(as, { id: "page" }, { comments: [{ annotationId: "x", from: bob, comments: [] }] });
    await fannedOut(as);
    await updateX(as, { assignedTo: bob }, { actionUser: ann });
    await fannedOut(as);
    await updateX(as, { assignedTo: ann }, { actionUser: ann });
    const [first] = await toldTo(as);
    expect(first).toMatchObject({ event: "comment_annotation.assign", text: "Bob", isPersonal: true });
  });
});

describe("the actor", () => {
  it("is nobody if the call did not say who made the change", async () => {
    const as = await withMail();
    await mention(as);
    await fannedOut(as);
    await toldTo(as);
    await updateX(as, { status: "DONE" });
    await fannedOut(as);
    expect(await toldTo(as)).toMatchObject([{ event: "comment_annotation.status_change", actorName: "" }]);
  });

  it("given by id only has the name of the profile", async () => {
    const as = await withMail();
    const cleo = { userId: "cleo" };
    await must(usersAdd, { as, data: { organizationId, users: [{ ...cleo, name: "Cleo" }] } });
    await mention(as);
    await updateX(as, { assignedTo: cleo, status: "DONE" }, { actionUser: cleo });
    await addTo(as, [{ commentId: "c2", from: { userId: "stranger" }, text: "Hello" }]);
    await fannedOut(as);
    const told = await toldTo(as);
    const named = told.map(({ event, actorName, text }) => [event, actorName, text]);
    expect(named).toContainEqual(["comment_annotation.status_change", "Cleo", "DONE"]);
    expect(named).toContainEqual(["comment_annotation.assign", "Cleo", "Cleo"]);
    expect(named).toContainEqual(["comment.add", "stranger", "Hello"]);
  });

  it("that was erased has no name", async () => {
    const { apiKey: workspace } = await withMail();
    const nameOf = await namesOf({ workspace, organizationId }, [{ userId: erasedUserId }]);
    expect(nameOf({ userId: erasedUserId })).toBe("");
  });
});

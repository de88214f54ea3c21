// Whom the edit of a comment mentions, and whom a replaced annotation mentions or is assigned to: only those who were not
// before (DECISIONS.md#content-of-messages).
import { describe, expect, it } from "vitest";
import { emailconfigUpdate } from "../../../functions/messages/emailconfig-update.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import type { DomainEvent } from "../../../lib/jobs/outbox.ts";
import { deliveryOf } from "../../../lib/webhooks/delivery-body.ts";
import { type Credentials, must } from "../../support/call.ts";
import { updateComment, updateX } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add } from "../../support/feature-data.ts";
import { ann, bob, drained, fannedOut, mailbox, withMail } from "../../support/messages.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

const cleo = { userId: "cleo", name: "Cleo" };
const byAnn = { actionUser: ann };

/** A comment of ann that mentions bob, in an annotation that is assigned to bob. Its messages are sent. */
async function mentioned(): Promise<Credentials> {
  const as = await withMail();
  await must(usersAdd, { as, data: { organizationId, users: [{ ...cleo, email: "cleo@example.com" }] } });
  const triggers = { "comment.update": true, "comment_annotation.update": true };
  await must(emailconfigUpdate, { as, data: { emailServiceConfig: { triggers } } });
  await replace(as, {}, {});
  await fannedOut(as);
  later(121);
  await drained(as, mailbox());
  return as;
}

/** Adds the annotation, or replaces it. */
const replace = (as: Credentials, annotation: object, comment: object) => {
  const own = { commentId: "c1", from: ann, text: "Shall we?", taggedUsers: [bob], ...comment };
  const comments = [{ annotationId: "x", from: ann, assignedTo: bob, comments: [own], ...annotation }];
  return add(as, { id: "page" }, { comments });
};

/** Who is told of what, and whether as a mention or an assignment, after `seconds`. */
async function toldAfter(as: Credentials, seconds: number): Promise<string[]> {
  await fannedOut(as);
  later(seconds);
  const box = mailbox();
  await drained(as, box);
  return box.sent
    .flatMap(({ message: { reader, entries } }) =>
      entries.map((entry) => {
        if (entry.kind === "notification") throw new Error("There is no notification.");
        return `${reader.userId}: ${entry.event}${entry.isPersonal ? ", personal" : ""}`;
      }),
    )
    .sort();
}

const edits = [
  [
    "comments/update",
    (as: Credentials, taggedUsers: object[]) => updateComment(as, "c1", { text: "Now?", taggedUsers }, byAnn),
  ],
  ["data/add", (as: Credentials, taggedUsers: object[]) => replace(as, {}, { text: "Now?", taggedUsers })],
] as const;

describe.each(edits)("an edit by %s", (name, edit) => {
  // data/add does not say who made the change, so ann is told too.
  const toAnn = name === "data/add" ? ["ann: comment.update"] : [];

  it("is sent at once to those whom it mentions newly, and later to those who were mentioned before", async () => {
    const as = await mentioned();
    await edit(as, [bob, cleo]);
    expect(await toldAfter(as, 0)).toEqual(["cleo: comment.update, personal"]);
    expect(await toldAfter(as, 121)).toEqual([...toAnn, "bob: comment.update"]);
  });

  it("is sent at once to those whom an edit before it had removed", async () => {
    const as = await mentioned();
    await edit(as, []);
    await toldAfter(as, 121);
    await edit(as, [bob]);
    expect(await toldAfter(as, 0)).toEqual(["bob: comment.update, personal"]);
  });

  it("mentions nobody newly if it changes the text alone", async () => {
    const as = await mentioned();
    await edit(as, [bob]);
    expect(await toldAfter(as, 0)).toEqual([]);
    expect(await toldAfter(as, 121)).toEqual([...toAnn, "bob: comment.update"]);
  });
});

it("an annotation that is assigned to the same user again is no assignment", async () => {
  const as = await mentioned();
  await replace(as, { assignedTo: { ...bob, name: "Robert" } }, {});
  await updateX(as, { assignedTo: bob }, byAnn);
  expect(await toldAfter(as, 0)).toEqual([]);
  const told = await toldAfter(as, 121);
  expect(told).toContain("bob: comment_annotation.update");
  expect(told.filter((each) => each.includes("personal"))).toEqual([]);
});

it("no webhook shows whom an edit mentions newly", () => {
  const data = { annotationId: "x", commentId: "c1" };
  const event: DomainEvent = { type: "comment.update", workspace: "w", organizationId, data, mentions: ["cleo"] };
  expect(JSON.stringify(deliveryOf(event, new Date().toISOString(), "origin", "endpoint"))).not.toContain("cleo");
});

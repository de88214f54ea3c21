// Each event is told with its own value, by its own actor, although later events have changed the annotation since
// (DECISIONS.md#content-of-messages).
import { describe, expect, it } from "vitest";
import { emailconfigUpdate } from "../../../functions/messages/emailconfig-update.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import type { MessageContent } from "../../../lib/messages/message-content.ts";
import { renderEmail } from "../../../lib/messages/render/email.ts";
import { renderSlack } from "../../../lib/messages/render/slack.ts";
import { templateDataOf } from "../../../lib/messages/render/template-data.ts";
import { type Credentials, must } from "../../support/call.ts";
import { addTo, updateComment, updateX } from "../../support/comments.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add } from "../../support/feature-data.ts";
import { ann, bob, drained, fannedOut, fillAddress, mailbox, withMail } from "../../support/messages.ts";

fakeDates();

const cid = { userId: "cid", name: "Cid" };
const dan = { userId: "dan", name: "Dan" };
const by = (actionUser: object) => ({ actionUser });

/** The annotation `x` of bob. Nobody waits to be told of it. */
async function withThread(fields: object = {}): Promise<Credentials> {
  const as = await withMail();
  const triggers = { "comment.update": true };
  await must(emailconfigUpdate, { as, data: { emailServiceConfig: { triggers } } });
  await add(as, { id: "page" }, { comments: [{ annotationId: "x", from: bob, comments: [], ...fields }] });
  await told(as);
  return as;
}

/** What bob is told. */
async function messagesTo(as: Credentials, seconds = 121): Promise<MessageContent[]> {
  await fannedOut(as);
  later(seconds);
  const box = mailbox();
  await drained(as, box);
  return box.sent.filter(({ address }) => address === "bob@example.com").map(({ message }) => message);
}

/** The sentences of what bob is told. They are the same in mail, Slack and template data. */
async function told(as: Credentials, seconds?: number): Promise<string[]> {
  return (await messagesTo(as, seconds)).flatMap((message) => {
    const { updates } = templateDataOf(message);
    const sentences = updates.map(({ sentence, text }) => (text ? `${sentence}: ${text}` : sentence));
    const slack = renderSlack(message).blocks.flatMap((block) =>
      block.type === "rich_text"
        ? block.elements.map(({ elements }) => elements.map((each) => ("text" in each ? each.text : "")).join(""))
        : [],
    );
    const mail = renderEmail(message, { domain: "mail.example.com" }).text;
    for (const { sentence } of updates) {
      expect(mail).toContain(sentence);
      expect(slack.join("\n")).toContain(sentence);
    }
    return sentences;
  });
}

/** Each field of an annotation, its values by ann, cid and dan, and what each of them did. */
const fields = [
  [
    "status",
    ["IN_PROGRESS", "RESOLVED", null],
    ["changed the status to “In progress”", "resolved a thread", "cleared the status"],
  ],
  ["priority", ["P1", null, "P2"], ["set the priority to “P1”", "cleared the priority", "set the priority to “P2”"]],
  [
    "assignedTo",
    [bob, cid, null],
    ["assigned a thread to you", "assigned a thread to Cid", "removed the assignee of a thread"],
  ],
  ["assignedTo", [cid, dan, cid], ["assigned a thread to Cid", "assigned a thread to Dan", "assigned a thread to Cid"]],
] as const;

/** Three users change the field, one after the other. `then` runs after each change. */
async function changed(as: Credentials, field: string, values: readonly unknown[], then = async () => {}) {
  for (const [index, actor] of [ann, cid, dan].entries()) {
    later(1);
    expect((await updateX(as, { [field]: values[index] }, by(actor))).status).toBe(200);
    await then();
  }
}

/** Who the actors are, if neither a profile nor the annotation has their names. */
const actors = ["Ann", "cid", "dan"];
const nameless = (sentences: string[]) => sentences.map((each) => each.replace(/^Cid/, "cid").replace(/^Dan/, "dan"));

describe.each(fields)("%s as %j", (field, values, verbs) => {
  const expected = verbs.map((verb, index) => `${actors[index]} ${verb}`);

  it("is told as each user set it", async () => {
    const as = await withThread();
    await changed(as, field, values);
    expect(nameless(await told(as))).toEqual(expected);
  });

  it("is told as each user set it if each change was fanned out by itself", async () => {
    const as = await withThread();
    await changed(as, field, values, async () => void (await fannedOut(as)));
    const all = nameless(await told(as, 121));
    expect(all.toSorted()).toEqual(expected.toSorted());
  });

  it("is told as each user set it in a digest", async () => {
    const as = await withThread();
    await fillAddress({ workspace: as.apiKey }, "bob@example.com");
    await changed(as, field, values);
    expect(await told(as)).toEqual([]);
    later(86_400);
    expect(nameless(await told(as, 7_200))).toEqual(expected);
  });
});

it("an annotation that is replaced is told with the values of each replacement", async () => {
  const as = await withThread();
  for (const status of ["A", "B", undefined]) {
    later(1);
    await add(as, { id: "page" }, { comments: [{ annotationId: "x", from: bob, status, comments: [] }] });
  }
  expect(await told(as)).toEqual([
    "Someone changed the status to “A”",
    "Someone changed the status to “B”",
    "Someone cleared the status",
  ]);
});

it("a value of any length is told with its beginning", async () => {
  const as = await withThread();
  await updateX(as, { status: "s".repeat(5_000) }, by(ann));
  later(1);
  await updateX(as, { status: "DONE" }, by(ann));
  expect(await told(as)).toEqual([
    `Ann changed the status to “${"s".repeat(59)}…”`,
    "Ann changed the status to “Done”",
  ]);
});

it("a start, a comment or an edit mentions or assigns only those whom it named itself", async () => {
  const as = await withThread();
  await add(as, { id: "page" }, { comments: [{ annotationId: "y", from: ann, comments: [] }] });
  await addTo(as, [{ commentId: "c1", from: ann, text: "So?" }]);
  await updateX(as, { assignedTo: bob }, { annotationIds: ["x", "y"], ...by(cid) });
  await updateComment(as, "c1", { taggedUsers: [bob] }, by(cid));
  const all = await told(as, 121);
  expect(all).toContain("Ann started a thread");
  expect(all).toContain("cid mentioned you in an edited comment: So?");
  expect(all.filter((each) => /^Ann (?:mentioned|assigned|.*to you)/.test(each))).toEqual([]);
});

describe("the text of a comment is that of now, and an event before its last edit says so", () => {
  const edited = async (edit: (as: Credentials) => Promise<unknown>) => {
    const as = await withThread();
    await addTo(as, [{ commentId: "c1", from: ann, text: "Yes." }]);
    await fannedOut(as);
    later(1);
    await edit(as);
    return told(as);
  };

  it("by comments/update", async () => {
    const all = await edited((as) => updateComment(as, "c1", { text: "No." }, by(cid)));
    expect(all).toEqual(["Ann commented (edited since): No.", "cid edited a comment: No."]);
  });

  it("by data/add", async () => {
    const comments = [{ commentId: "c1", from: ann, text: "No." }];
    const all = await edited((as) =>
      add(as, { id: "page" }, { comments: [{ annotationId: "x", from: bob, comments }] }),
    );
    expect(all).toEqual(["Ann commented (edited since): No.", "Someone edited a comment: No."]);
  });

  it("but not if only other fields were edited", async () => {
    const all = await edited((as) => updateComment(as, "c1", { metadata: { color: "red" } }, by(cid)));
    expect(all).toEqual(["Ann commented: Yes.", "cid edited a comment: Yes."]);
  });
});

it("an erased user is no actor and no assignee of what waits", async () => {
  const as = await withThread();
  await updateX(as, { assignedTo: cid }, by(dan));
  later(1);
  await updateX(as, { assignedTo: dan }, by(cid));
  await fannedOut(as);
  await erased(await beginErasure(as.apiKey, { userIds: ["cid"] }));
  expect(await told(as)).toEqual(["Dan assigned a thread to somebody", "Someone assigned a thread to Dan"]);
});

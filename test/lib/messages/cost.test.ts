// What it costs to add the messages of an event, and to send one.
import { expect, it } from "vitest";
import { commentannotationsUpdate } from "../../../functions/comments/commentannotations-update.ts";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { notificationsConfigSet } from "../../../functions/notifications/notifications-config-set.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { inCall, newCall } from "../../../lib/call.ts";
import { chunks } from "../../../lib/concurrency.ts";
import type { Channel } from "../../../lib/messages/channel.ts";
import { drainMessages } from "../../../lib/messages/drain-messages.ts";
import { emailChannel } from "../../../lib/messages/email/email-channel.ts";
import type { MessageContent } from "../../../lib/messages/message-content.ts";
import { queueOf } from "../../../lib/store/messages/waiting-message.ts";
import { type Credentials, must } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { addTo } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { ann, fannedOut, mention, withMail } from "../../support/messages.ts";
import { numbered } from "../../support/notifications.ts";
import { emailFrom } from "../../support/senders.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();
process.env.EMAIL_FROM = emailFrom;
process.env.PUBLIC_URL = "https://api.example.com";

/** The document `d` with a thread of ann, and users who chose to get everything about it. */
async function watchedBy(count: number): Promise<Credentials> {
  const as = await withMail();
  for (const userIds of chunks(numbered(count), 100)) {
    const users = userIds.map((userId) => ({ userId, email: `${userId}@example.com`, accessRole: "viewer" }));
    await must(usersAdd, { as, data: { organizationId, users } });
    const level = { organizationId, documentIds: ["d"], userIds, config: { email: "ALL" } };
    await must(notificationsConfigSet, { as, data: level });
  }
  // Only those who watch get messages: ann writes them.
  const none = { organizationId, documentIds: ["d"], userIds: ["bob"], config: { email: "NONE" } };
  await must(notificationsConfigSet, { as, data: none });
  await mention(as);
  await fannedOut(as);
  return as;
}

const reply = (commentId: string) => ({ commentId, from: ann, text: commentId });

/** [round trips, read units, write units] */
type Cost = [number, number, number];

const fanOuts: [number, Cost][] = [
  [10, [23, 46, 23]],
  [500, [79, 1_045, 1_003]],
];

it.each(fanOuts)("the fan-out of a comment to %i who watch", async (count, cost) => {
  const as = await watchedBy(count);
  await addTo(as, [reply("c2")]);
  await fannedOut(as);
  const { roundTrips, readUnits, writeUnits } = logs().findLast(({ worker }) => worker === "fanout") ?? {};
  expect([roundTrips, readUnits, writeUnits]).toEqual(cost);
});

/** Through SES, which accepts at once. */
const accepting: Channel = {
  name: "email",
  async senderOf(ref) {
    const sender = await emailChannel.senderOf(ref);
    if ("problem" in sender) return sender;
    const send = async ({ entries, moreCount }: MessageContent) => {
      told.push(entries.length + moreCount, entries.length);
      return { isSent: true } as const;
    };
    return { ...sender, send };
  },
};
/** Of each mail: the updates, and those that it shows. */
const told: number[] = [];

const mails: [number, Cost][] = [
  [1, [27, 29, 13]],
  [10, [27, 30, 34]],
];

/** Sends what is due to the user. Returns its cost. */
async function sent({ apiKey: workspace }: Credentials) {
  later(121);
  const queue = queueOf({ workspace, channel: "email" }, { userId: "u0" });
  const record = newCall("test");
  await inCall(record, () => drainMessages(accepting, queue, Date.now() + 60_000));
  return record;
}

it("a mail that tells of 30 threads of 240 KB reads ten of them, and counts the others", async () => {
  const as = await watchedBy(1);
  // The mention.
  await sent(as);
  const place = { organizationId, documentId: "d" };
  const comments = numbered(4, "c").map((commentId) => ({ commentId, from: ann, text: "x".repeat(60_000) }));
  const annotationIds = numbered(30, "a");
  for (const annotationId of annotationIds) {
    const thread = { ...place, location: { id: "l" }, comments: [{ annotationId, from: ann, comments }], silent: true };
    await must(documentsDataAdd, { as, data: thread });
  }
  const update = { ...place, annotationIds, update: { status: "RESOLVED" }, actionUser: ann };
  await must(commentannotationsUpdate, { as, data: update });
  await fannedOut(as);
  told.length = 0;
  const { cost } = await sent(as);
  expect([...told, cost.readUnits]).toEqual([30, 10, 634]);
});

it.each(mails)("a mail that tells of %i comments", async (count, cost) => {
  const as = await watchedBy(1);
  // The mention. With this mail, the key of the hashes of addresses is made, opened and kept.
  await sent(as);
  for (const commentId of numbered(count, "c")) {
    await addTo(as, [reply(commentId)]);
    await fannedOut(as);
  }
  const { cost: of, measures } = await sent(as);
  expect(measures.messagesSent).toBe(1);
  expect([of.roundTrips, of.readUnits, of.writeUnits, of.kmsCalls]).toEqual([...cost, 0]);
});

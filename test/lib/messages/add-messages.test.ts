// How the fan-out of an event finds those who get a message.
import { expect, it } from "vitest";
import { notificationsConfigSet } from "../../../functions/notifications/notifications-config-set.ts";
import { costOf, inCall, newCall } from "../../../lib/call.ts";
import { addMessages, type MessageProgress } from "../../../lib/messages/add-messages.ts";
import { must } from "../../support/call.ts";
import { add, documentUidOf, person } from "../../support/feature-data.ts";
import { newDocument, numbered } from "../../support/notifications.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

/** Adds the messages of one new comment. Returns who waits for one, and the requests of all steps. */
async function fanOutWith(members: number, watchers: string[]) {
  const as = await newDocument(numbered(members));
  for (const [index, userId] of watchers.entries()) {
    const data = { organizationId, documentIds: index % 2 ? ["d"] : [], userIds: [userId], config: { email: "ALL" } };
    await must(notificationsConfigSet, { as, data });
  }
  await add(as, { id: "page" }, { comments: [{ annotationId: "x", from: person("u0"), comments: [] }] });
  const workspace = as.apiKey;
  const data = { annotationId: "x", from: "u0" };
  const documentUid = await documentUidOf(as);
  const about = { workspace, organizationId, documentId: "d", documentUid };
  const event = { type: "comment_annotation.add" as const, ...about, data };
  const wishes = {
    email: { types: new Set([event.type]), batchMs: 0 },
    slack: { types: new Set<string>(), batchMs: 0 },
  };
  const record = newCall("test");
  await inCall(record, async () => {
    let progress: MessageProgress | undefined;
    do progress = (await addMessages([{ event, at: new Date().toISOString(), origin: "o" }], wishes, progress)).rest;
    while (progress);
  });
  const waiting = (await itemsOf(workspace)).filter(({ entity }) => entity === "waiting-message");
  return { reached: waiting.map(({ userId }) => String(userId)).sort(), trips: costOf(record).roundTrips };
}

it("reaches 10 who watch among 10,000 members at the requests that it needs among 20", async () => {
  const watchers = numbered(10).map((_, index) => `u${index + 5}`);
  const few = await fanOutWith(20, watchers);
  const many = await fanOutWith(10_000, watchers);
  expect(many).toEqual(few);
  expect(few.trips).toBeLessThan(30);
  expect(few.reached).toEqual(watchers.toSorted());
});

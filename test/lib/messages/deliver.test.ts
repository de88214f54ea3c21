import { expect, it } from "vitest";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import type { Outcome } from "../../../lib/messages/channel.ts";
import { drainMessages } from "../../../lib/messages/drain-messages.ts";
import { waitingMessageEntity } from "../../../lib/store/messages/waiting-message.ts";
import { must } from "../../support/call.ts";
import { addTo } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import {
  ann,
  bob,
  drained,
  fannedOut,
  leftIn,
  mailbox,
  mention,
  messagesOf,
  repeated,
  withMail,
} from "../../support/messages.ts";
import { itemsOf } from "../../support/scan.ts";
import { turns } from "../../support/turns.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

const reply = (commentId: string, more: object = {}) => ({ commentId, from: ann, text: commentId, ...more });
const textsOf = ({ sent }: ReturnType<typeof mailbox>) =>
  sent.map(({ message }) => message.entries.flatMap((entry) => entry.text ?? []));

it("a fan-out that is repeated after the message sends nothing again", async () => {
  const as = await withMail();
  await mention(as);
  const jobs = await fannedOut(as);
  later(121);
  const box = mailbox();
  expect(await drained(as, box)).toBeUndefined();
  later(60);
  await addTo(as, [reply("c2")]);
  await repeated(jobs);
  await fannedOut(as);
  later(121);
  expect(await drained(as, box)).toBeUndefined();
  expect(textsOf(box)).toEqual([["Shall we?"], ["c2"]]);
  expect(await leftIn(as)).toEqual({});
});

it("a message keeps its id and its events until it is sent; what happens meanwhile is in the next one", async () => {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  later(121);
  let isDown = true;
  const tried: string[] = [];
  const box = mailbox(({ messageId }): Outcome => {
    tried.push(messageId);
    return isDown ? { again: "It is down." } : { isSent: true };
  });
  const next = await drained(as, box);
  expect((next ?? 0) - Date.now()).toBeGreaterThan(50_000);
  expect(await messagesOf(as)).toMatchObject([{ state: "waiting", attempts: 1, error: "It is down." }]);
  // Also an event whose fan-out was late: it comes before the others.
  const items = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "waiting-message");
  const first = waitingMessageEntity.attributesOf(items[0] ?? {});
  const early = { ...first, at: new Date(Date.parse(first.at) - 5_000).toISOString(), origin: "late" };
  const { pk } = items[0] ?? { pk: "" };
  const { put } = waitingMessageEntity.put({ workspace: as.apiKey, channel: "email", shard: 0, ...early }, early);
  await commit([{ put: { ...put, pk } }]);
  await addTo(as, [reply("c2", { taggedUsers: [bob] })]);
  await fannedOut(as);
  await drained(as, box);
  expect(tried.length).toBe(1);
  isDown = false;
  later(120);
  expect(await drained(as, box)).toBeUndefined();
  expect(new Set(tried).size).toBe(2);
  expect(tried.slice(0, 2)).toEqual([tried[0], tried[0]]);
  expect(textsOf(box)[0]).toEqual(["Shall we?"]);
  expect(textsOf(box)[1]).toContain("c2");
  expect((await messagesOf(as)).map(({ state }) => state)).toEqual(["sent", "sent"]);
  expect(await leftIn(as)).toEqual({});
});

it("two workers at one queue send each message once", async () => {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  later(121);
  const started = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const box = mailbox(async () => {
    started.resolve();
    await answered.promise;
    return { isSent: true };
  });
  const slow = drained(as, box);
  await started.promise;
  // The lease of the first worker's job has ended. Its claim on the conversation has not.
  await drained(as, box);
  answered.resolve();
  await slow;
  await drained(as, box);
  expect(box.sent.length).toBe(1);
  expect(await messagesOf(as)).toMatchObject([{ state: "sent", attempts: 1 }]);
});

it("a worker that continues after its claim has ended records nothing over the next one", async () => {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  later(121);
  const started = Promise.withResolvers<void>();
  const awake = Promise.withResolvers<void>();
  const asleep = mailbox(async () => {
    started.resolve();
    await awake.promise;
    return { again: "It is down." };
  });
  const slow = drained(as, asleep);
  await started.promise;
  later(120);
  const box = mailbox();
  await drained(as, box);
  awake.resolve();
  await slow;
  expect(await messagesOf(as)).toMatchObject([
    { messageId: box.sent[0]?.message.messageId, state: "sent", attempts: 2 },
  ]);
  await drained(as, box);
  expect(box.sent.length).toBe(1);
  expect(await leftIn(as)).toEqual({});
});

it("what fails in one message does not stop the others", async () => {
  const as = await withMail();
  const users = [ann, bob];
  await mention(as);
  await addTo(as, [{ ...reply("c2"), from: bob, taggedUsers: users }]);
  await fannedOut(as);
  later(121);
  const box = mailbox((_, address) => {
    if (address.startsWith("ann")) throw new Error("A bug.");
    return { isSent: true };
  });
  await drained(as, box);
  expect(box.sent.map(({ address }) => address)).toEqual(["bob@example.com"]);
  const [failed] = (await messagesOf(as)).filter(({ userId }) => userId === "ann");
  expect(failed).toMatchObject({ state: "waiting", attempts: 1, error: "The service failed." });
});

it("a message is tried for a day, and then fails", async () => {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  const box = mailbox(() => ({ again: "It is down." }));
  const begin = Date.now();
  for (let next: number | undefined = Date.now() + 121_000; next !== undefined; ) {
    later((next - Date.now()) / 1_000);
    next = await drained(as, box);
  }
  const [message] = await messagesOf(as);
  expect(message).toMatchObject({ state: "failed", attempts: 8, error: "It was tried for a day: It is down." });
  expect((Date.now() - begin) / 3_600_000).toBeGreaterThan(21);
  expect(await leftIn(as)).toEqual({});
});

it("a refusal is final", async () => {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  later(121);
  expect(
    await drained(
      as,
      mailbox(() => ({ refusal: "No such mailbox." })),
    ),
  ).toBeUndefined();
  expect(await messagesOf(as)).toMatchObject([{ state: "failed", attempts: 1, error: "No such mailbox." }]);
});

it("a run without its time sends nothing", async () => {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  later(121);
  const box = mailbox();
  for (const shard of [0, 1, 2, 3]) {
    await drainMessages(box, { workspace: as.apiKey, channel: "email", shard }, Date.now() + 10_000);
  }
  expect(box.sent).toEqual([]);
});

it("a run records each message before the provider gets the next one, so a worker that dies repeats one at most", async () => {
  const as = await withMail();
  const users = Array.from({ length: 24 }, (_, index) => ({ userId: `u${index}`, email: `u${index}@example.com` }));
  await must(usersAdd, { as, data: { organizationId, users } });
  await mention(as);
  await addTo(as, [reply("all", { taggedUsers: users.map(({ userId }) => ({ userId })) })]);
  await fannedOut(as);
  later(121);
  let asked = 0;
  const unrecorded: number[] = [];
  const box = mailbox(async () => {
    asked += 1;
    await turns();
    unrecorded.push(asked - (await messagesOf(as)).length);
    return { isSent: true };
  });
  while ((await drained(as, box)) !== undefined) later(121);
  expect(box.sent.length).toBeGreaterThan(24);
  expect(new Set(unrecorded)).toEqual(new Set([1]));
});

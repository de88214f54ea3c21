// A provider that does not work delays nobody else, and its messages are not lost (DECISIONS.md#attempts-of-messages).
import { expect, it, vi } from "vitest";
import { usersAdd } from "../../../functions/users/users-add.ts";
import type { Outcome } from "../../../lib/messages/channel.ts";
import { Circuit } from "../../../lib/messages/circuit.ts";
import { drainMessages } from "../../../lib/messages/drain-messages.ts";
import * as Pause from "../../../lib/store/messages/channel-pause.ts";
import { queueOf, queuesOf } from "../../../lib/store/messages/waiting-message.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add } from "../../support/feature-data.ts";
import {
  ann,
  bob,
  drained,
  fannedOut,
  leftIn,
  mailbox,
  mention,
  messagesOf,
  withMail,
} from "../../support/messages.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

const people = Array.from({ length: 30 }, (_, index) => ({ userId: `p${index}`, name: `P${index}` }));

/** A workspace in which 30 users have a message that is due. */
async function withMessages(): Promise<Credentials> {
  const as = await withMail();
  const users = people.map((person) => ({ ...person, email: `${person.userId}@${as.apiKey.slice(3, 9)}.example.com` }));
  await must(usersAdd, { as, data: { organizationId, users } });
  const comment = { commentId: "c1", from: ann, text: "All of you.", taggedUsers: people };
  await add(as, { id: "page" }, { comments: [{ annotationId: "x", from: ann, comments: [comment] }] });
  await fannedOut(as);
  later(121);
  return as;
}

const pauseOf = ({ apiKey: workspace }: Credentials) => Pause.get({ workspace, channel: "email" });
const down: Outcome = { again: "It is down." };

it("a run may ask the provider when the pause ends, and not a millisecond before", async () => {
  const ref = { workspace: "w", channel: "email" } as const;
  const until = Date.now() + 60_000;
  await Pause.set(ref, undefined, { until, failingSince: Date.now(), error: "It is down." });
  const mayAskAt = async (time: number) => {
    vi.setSystemTime(time);
    return (await Circuit.of(ref)).mayAsk();
  };
  expect(await mayAskAt(until - 1)).toBe(false);
  expect(await mayAskAt(until)).toBe(true);
});

it("five failures in a row pause the channel of one workspace, and no other", async () => {
  const [as, other] = [await withMessages(), await withMessages()];
  let asked = 0;
  const dead = mailbox(() => {
    asked++;
    return down;
  });
  const next = await drained(as, dead);
  // Those that had begun in the first queue: at most 25 are in flight.
  expect(asked).toBeLessThanOrEqual(25);
  expect((next ?? 0) - Date.now()).toBeGreaterThan(59_000);
  const first = asked;
  await drained(as, dead);
  expect(asked).toBe(first);
  const alive = mailbox();
  expect(await drained(other, alive)).toBeUndefined();
  expect(alive.sent.length).toBe(30);
});

it("after the pause one worker tries one message, and each failure makes the pause longer", async () => {
  const as = await withMessages();
  let asked = 0;
  const dead = mailbox(() => {
    asked++;
    return down;
  });
  await drained(as, dead);
  const pauses: number[] = [];
  for (let round = 0; round < 8; round++) {
    const { until = 0 } = (await pauseOf(as)) ?? {};
    later((until - Date.now()) / 1_000 + 1);
    asked = 0;
    await drained(as, dead);
    expect(asked).toBe(1);
    pauses.push(((await pauseOf(as))?.until ?? 0) - Date.now());
  }
  expect(pauses).toEqual(pauses.toSorted((one, next) => one - next));
  expect(pauses.at(-1)).toBeLessThanOrEqual(15 * 60_000);
  const alive = mailbox();
  for (let next: number | undefined = Date.now(); next !== undefined; ) {
    later(Math.max(0, next - Date.now()) / 1_000 + 1);
    next = await drained(as, alive);
  }
  expect(new Set(alive.sent.map(({ address }) => address)).size).toBe(30);
  expect(alive.sent.length).toBe(30);
  expect(await leftIn(as)).toEqual({});
});

it("after the pause a queue with nothing due leaves the try to the others, and one try ends the pause for all", async () => {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  later(121);
  await drained(
    as,
    mailbox(() => ({ again: "Too many requests.", afterMs: 60_000 })),
  );
  later(130);
  const { apiKey: workspace } = as;
  const own = queueOf({ workspace, channel: "email" }, bob);
  const others = queuesOf({ workspace }).filter(({ channel, shard }) => channel === "email" && shard !== own.shard);
  const box = mailbox();
  const end = Date.now() + 60_000;
  for (const queue of others) expect(await drainMessages(box, queue, end)).toBeUndefined();
  expect(await pauseOf(as)).toMatchObject({ error: "Too many requests." });
  expect(await drainMessages(box, own, end)).toBeUndefined();
  expect(box.sent.map(({ address }) => address)).toEqual(["bob@example.com"]);
  expect(await pauseOf(as)).toBeUndefined();
});

it("after the pause only one of two workers that have something due tries the provider", async () => {
  const as = await withMessages();
  await drained(
    as,
    mailbox(() => down),
  );
  later(70);
  const [started, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = mailbox(async () => {
    started.resolve();
    await answered.promise;
    return { isSent: true };
  });
  const first = drained(as, slow);
  await started.promise;
  const box = mailbox();
  expect(await drained(as, box)).toBeGreaterThan(Date.now() + 30_000);
  expect(box.sent).toEqual([]);
  answered.resolve();
  await first;
  expect(await pauseOf(as)).toBeUndefined();
});

it("a provider that asks to wait pauses the channel for this time", async () => {
  const as = await withMessages();
  const busy = mailbox(() => ({ again: "Too many requests.", afterMs: 300_000 }));
  await drained(as, busy);
  expect(((await pauseOf(as))?.until ?? 0) - Date.now()).toBe(300_000);
});

it("once nothing was accepted for a day, what has waited for a day fails without an attempt", async () => {
  const as = await withMessages();
  const dead = mailbox(() => down);
  await drained(as, dead);
  for (let hours = 0; hours < 25; hours++) {
    later(3_600);
    await drained(as, dead);
  }
  await drained(as, dead);
  const states = (await messagesOf(as)).map(({ state, error }) => [state, error]);
  expect(states.filter(([state]) => state === "failed").length).toBeGreaterThan(20);
  expect(states).toContainEqual(["failed", "No message was accepted for a day: It is down."]);
});

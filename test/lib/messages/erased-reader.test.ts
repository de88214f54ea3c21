// Once the call that erases a user has replied, nothing is sent to the user: neither a message, a retry nor a digest. The
// erasure begins just before one call of the worker, in turn: before each third call, in the long trial before each. The
// worker goes on, or dies there.
import { expect, it, vi } from "vitest";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import type { Credentials } from "../../support/call.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { callsStep } from "../../support/long.ts";
import {
  bob,
  drained,
  fannedOut,
  fillAddress,
  leftIn,
  type Mailbox,
  mailbox,
  mention,
  withMail,
} from "../../support/messages.ts";

fakeDates();

const daySeconds = 86_400;

const scenes: Record<string, (as: Credentials) => Promise<unknown>> = {
  message: async () => later(121),
  async retry(as) {
    later(121);
    await drained(
      as,
      mailbox(() => ({ again: "It is down." })),
    );
    later(90);
  },
  async digest(as) {
    later(121);
    await fillAddress({ workspace: as.apiKey }, `${bob.userId}@example.com`);
    await drained(as, mailbox());
    later(2 * daySeconds);
  },
};

/** Returns false when the worker makes fewer calls. */
async function isReached(as: Credentials, box: Mailbox, at: number, isKilled: boolean): Promise<boolean> {
  let calls = 0;
  let erasure: { sent: number } | undefined;
  atAwsEdge(async (_, call) => {
    if (calls++ === at) {
      await beginErasure(as.apiKey, { userIds: [bob.userId] });
      erasure = { sent: box.sent.length };
    }
    if (isKilled && erasure) throw Object.assign(new Error("The process was killed."), { name: "ProcessKilled" });
    return call();
  });
  await drained(as, box).catch(() => {});
  vi.restoreAllMocks();
  if (!erasure) return false;
  for (const seconds of [61, daySeconds, daySeconds]) {
    later(seconds);
    await drained(as, box);
    expect(box.sent.length, `call ${at}`).toBe(erasure.sent);
  }
  expect(await leftIn(as), `call ${at}`).toEqual({});
  return true;
}

it.each(Object.keys(scenes).flatMap((name) => [false, true].map((isKilled) => [name, isKilled] as const)))(
  "sends no %s after the reply of the erasure (the worker dies: %s)",
  async (name, isKilled) => {
    const sent = new Set<number>();
    for (let at = 0; ; at += callsStep) {
      newTableInMemory();
      const as = await withMail();
      await mention(as);
      await fannedOut(as);
      await scenes[name]?.(as);
      const box = mailbox();
      const reached = await isReached(as, box, at, isKilled);
      sent.add(box.sent.length);
      if (!reached) break;
    }
    expect([...sent].sort()).toEqual([0, 1]);
  },
);

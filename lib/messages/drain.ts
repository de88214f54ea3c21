// One run of a queue of messages: sends what is due, several conversations at a time. One worker at a time runs a queue.
import { measure } from "../call.ts";
import { inParallel } from "../concurrency.ts";
import { distinctBy } from "../http/item-results.ts";
import * as Waiting from "../store/waiting-message.ts";
import type { Channel } from "./channel.ts";
import { deliver } from "./deliver.ts";

const runMs = 30_000;
const inFlightMax = 10;
const readMax = 100;
/** Reserved for the attempts that have begun, and for recording them. */
const attemptMs = 20_000;

/** Returns when to run again, in ms since the epoch; undefined: nothing waits. */
export async function drainMessages(
  channel: Channel,
  queue: Waiting.MessageQueueRef,
  until: number,
): Promise<number | undefined> {
  const stopAt = Math.min(Date.now() + runMs, until - attemptMs);
  while (Date.now() < stopAt) {
    const now = Date.now();
    const dues = await Waiting.due(queue, now, readMax);
    if (dues.length === 0) break;
    measure("messageBacklogSeconds", (now - (dues[0]?.dueAt ?? now)) / 1_000);
    const conversations = distinctBy(dues, (due) => JSON.stringify([due.userId, due.organizationId, due.documentUid]));
    await inParallel(conversations, inFlightMax, async (due) => {
      if (Date.now() < stopAt) await deliver(channel, queue, due);
    });
  }
  return Waiting.nextDueAt(queue);
}

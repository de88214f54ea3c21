// Records what became of a message, first of all in one transaction. Each step after it can be repeated.
import { commit } from "../jobs/commit.ts";
import { type Message, recording } from "../store/messages/message.ts";
import * as Open from "../store/messages/open-message.ts";
import { marking } from "../store/messages/told-events.ts";
import * as Waiting from "../store/messages/waiting-message.ts";
import type { Result, Task } from "./attempt-message.ts";
import { nextDay } from "./message-limits.ts";

interface Recorded {
  result: Result;
  /** Attempts so far. */
  attempts: number;
  lastAttemptAt: Date | undefined;
  countedOn?: string | undefined;
}

/** Returns false when another worker has claimed the conversation since: then nothing is recorded. */
export async function recordResult(task: Task, recorded: Recorded): Promise<boolean> {
  const { queue, dues, open, waiting } = task;
  const { result, attempts, countedOn = open.countedOn } = recorded;
  const record = recording({ workspace: queue.workspace }, messageOf(task, recorded));
  if (result.state === "waiting") {
    const { later } = result;
    if (!(await commit([Open.releasing(queue, open, { attempts, nextAttemptAt: later, countedOn }), ...record]))) {
      return false;
    }
    await Waiting.postpone(queue, dues, later, waiting);
    return true;
  }
  const isMoved = result.state === "digest" || undefined;
  if (!(await commit([Open.ending(queue, open), marking(queue, open, isMoved), ...record]))) return false;
  if (isMoved) await Waiting.addToDigest(queue, waiting, nextDay(Date.now(), open.userId));
  await Waiting.remove(queue, waiting);
  return true;
}

function messageOf(
  { queue, open, waiting }: Task,
  { result, attempts, lastAttemptAt }: Recorded,
): Omit<Message, "ttl"> {
  const { messageId, organizationId, documentUid, userId, events } = open;
  const causedBy = waiting[0]?.causedBy;
  return {
    ...{ messageId, organizationId, documentUid, userId, attempts },
    channel: queue.channel,
    events: [...new Set(waiting.map(({ event }) => event))],
    createdAt: events[0]?.at as string,
    state: result.state,
    ...(lastAttemptAt && { lastAttemptAt: lastAttemptAt.toISOString() }),
    ...("later" in result && { nextAttemptAt: new Date(result.later).toISOString() }),
    ...("error" in result && { error: result.error }),
    ...(causedBy !== undefined && { causedBy }),
  };
}

// Sends the waiting events of one conversation (a user and a document) as one message, and records the outcome
// (DECISIONS.md#attempts-of-messages).
//
// First the worker claims the conversation. The claim fixes the id and the events of the message. Then the message is
// sent. Then one transaction records it, marks its events as sent, and ends the claim. There is a second message only
// if a worker dies between the last two steps, or if a provider accepts without a reply. It is the same message, with
// the same id. A run prepares several messages at a time, but sends and records one after the other.
import { callSignal, measure, onBehalfOf } from "../call.ts";
import { pause } from "../concurrency.ts";
import { commit } from "../jobs/commit.ts";
import { log } from "../log.ts";
import { handledSince, marking } from "../store/messages/handled-events.ts";
import * as Message from "../store/messages/message.ts";
import * as Open from "../store/messages/open-message.ts";
import * as Waiting from "../store/messages/waiting-message.ts";
import {
  type Answer,
  type Attempted,
  type Dues,
  type InLine,
  prepared,
  type Result,
  safely,
  type Task,
} from "./attempt-message.ts";
import type { Channel } from "./channel.ts";
import { digestDueAt } from "./message-limits.ts";

/** Most events in one message. Further events are in the next message. A digest takes the events of a whole day. */
const eventsMax = { message: 100, digest: 500 };

/** How long a worker has a conversation for itself, ms. A run is shorter. */
const claimMs = 60_000;

const retryMs = 200;

/** Another run holds the conversation: its claim has not ended, and it has recorded no result. */
export const held = Symbol("held");

/**
 * Returns how the provider has answered; undefined: it was not asked. `surrender`: the message ends without an attempt,
 * for this reason.
 */
export async function deliver(
  channel: Channel,
  queue: Waiting.MessageQueueRef,
  dues: Dues,
  inLine: InLine,
  surrender?: string,
): Promise<Answer | typeof held | undefined> {
  const [due] = dues;
  const known = await Open.get(queue, due);
  const next = known && Math.max(known.claimedUntil, known.nextAttemptAt ?? 0);
  // The message waits for its next attempt, or another worker has it. Later events wait with it.
  if (next !== undefined && next > Date.now()) {
    const isHeld = known !== undefined && known.claimedUntil > Date.now();
    await Waiting.postpone(queue, dues, next);
    return isHeld ? held : undefined;
  }
  const max = due.documentUid === Waiting.digestUid ? eventsMax.digest : eventsMax.message;
  const waiting = known
    ? await Waiting.stillWaiting(queue, due, known.events)
    : await Waiting.waitingIn(queue, due, max);
  if (waiting.length === 0 && !known) return void (await Waiting.removeDue(queue, dues));
  const open = await claimed(channel, queue, due, known, waiting);
  // Another worker was faster. The due times are still there.
  if (!open) return undefined;
  const task: Task = { channel, queue, dues, open, waiting, inLine };
  if (!known && !(await areNew(task))) return undefined;
  return onBehalfOf(waiting[0]?.causedBy, () => deliverNow(task, surrender));
}

async function claimed(
  channel: Channel,
  queue: Waiting.MessageQueueRef,
  { organizationId, documentUid, userId }: Waiting.Conversation,
  known: Open.OpenMessage | undefined,
  waiting: readonly Waiting.WaitingMessage[],
): Promise<Open.OpenMessage | undefined> {
  const [first] = waiting;
  const { messageId, events, attempts, countedOn } = known ?? {
    messageId: Message.messageIdOf(channel.name, documentUid, first as Waiting.WaitingMessage),
    events: waiting.map(({ at, origin }) => ({ at, origin })),
    attempts: 0,
  };
  const wanted = { organizationId, documentUid, userId, messageId, events, attempts: attempts + 1, countedOn };
  return Open.claim(queue, known, wanted, claimMs);
}

/**
 * Whether no earlier message contained one of these events. Otherwise a repeated step has added the event again. It is
 * removed, and the next round takes the other events. It is read after the claim, so that no other worker sends such a
 * message meanwhile.
 */
async function areNew({ queue, open, waiting }: Task): Promise<boolean> {
  const handled = await handledSince(queue, open, waiting[0]?.at ?? "");
  const again = waiting.filter(({ origin }) => handled.has(origin));
  if (again.length === 0) return true;
  // A worker that died while it moved events to the digest has marked them first.
  const moved = again.filter(({ origin }) => handled.get(origin)?.isMoved);
  if (moved.length > 0) await Waiting.addToDigest(queue, moved, digestDueAt(open.userId));
  await Waiting.remove(queue, again);
  await Open.release(queue, open);
  return false;
}

async function deliverNow(task: Task, surrender: string | undefined): Promise<Answer | undefined> {
  const ready = await prepared(task, surrender);
  if (typeof ready !== "function") return record(task, ready, new Date());
  return task.inLine(async (mayAsk) => {
    const startedAt = new Date();
    return record(task, await safely(task, () => ready(mayAsk)), startedAt);
  });
}

async function record(task: Task, attempted: Attempted, startedAt: Date): Promise<Answer | undefined> {
  const { result, isTried, answer, countedOn } = attempted;
  const attempts = task.open.attempts - Number(!isTried);
  const lastAttemptAt = isTried ? startedAt : undefined;
  const isRecorded = await untilDone(() => recordResult(task, { result, attempts, lastAttemptAt, countedOn }));
  if (isRecorded && result.state === "sent") measure("messagesSent", 1);
  if (isRecorded && result.state === "failed") measure("messagesFailed", 1);
  logResult(task, result, attempts, isRecorded);
  return answer;
}

/** The result of an attempt must not be lost while the process lives. */
async function untilDone<T>(write: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await write();
    } catch (thrown) {
      if (failures === 2 || callSignal()?.aborted) throw thrown;
      await pause(retryMs, callSignal());
    }
  }
}

function logResult({ queue, open }: Task, result: Result, attempts: number, isRecorded: boolean): void {
  const { workspace, channel } = queue;
  const error = "error" in result ? result.error : undefined;
  const line = { workspace, channel, messageId: open.messageId, attempt: attempts, outcome: result.state, error };
  log(result.state === "failed" || !isRecorded ? "warn" : "info", "message", line);
}

interface Recorded {
  result: Result;
  /** Attempts so far. */
  attempts: number;
  lastAttemptAt: Date | undefined;
  countedOn?: string | undefined;
}

/**
 * Records the outcome of a message in one transaction. Each step after the transaction can be repeated. Returns false
 * when another worker has claimed the conversation since: then nothing is recorded.
 */
async function recordResult(task: Task, recorded: Recorded): Promise<boolean> {
  const { queue, dues, open, waiting } = task;
  const { result, attempts, countedOn = open.countedOn } = recorded;
  const record = Message.recording({ workspace: queue.workspace }, messageOf(task, recorded));
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
  if (isMoved) await Waiting.addToDigest(queue, waiting, digestDueAt(open.userId));
  await Waiting.remove(queue, waiting);
  return true;
}

function messageOf(
  { queue, open, waiting }: Task,
  { result, attempts, lastAttemptAt }: Recorded,
): Omit<Message.Message, "ttl"> {
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

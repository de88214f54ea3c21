// One attempt of a message: makes it from what is stored now, asks the limits, and sends it.
import { callSignal } from "../call.ts";
import { log } from "../log.ts";
import * as BeingErased from "../store/erasure/being-erased.ts";
import type { OpenMessage } from "../store/messages/open-message.ts";
import {
  type DueMessage,
  digestUid,
  type MessageQueueRef,
  type WaitingMessage,
} from "../store/messages/waiting-message.ts";
import type { Again, Channel, Outcome } from "./channel.ts";
import { contentOfMessage } from "./content.ts";
import { admissionOf } from "./message-limits.ts";

/** The due times that one conversation has now. */
export type Dues = readonly [DueMessage, ...DueMessage[]];

export interface Task {
  channel: Channel;
  queue: MessageQueueRef;
  dues: Dues;
  open: OpenMessage;
  waiting: readonly WaitingMessage[];
  /** Runs the work when that of earlier messages of this run has ended. */
  inLine: InLine;
}

/** `mayAsk`: whether the run may still ask the provider. */
export type InLine = <T>(work: (mayAsk: boolean) => Promise<T>) => Promise<T>;

/** The outcome of a message. `later`: when it is due again, ms since the epoch. */
export type Result =
  | { state: "sent" }
  | { state: "failed" | "omitted" | "digest"; error: string }
  | { state: "waiting"; error: string; later: number };

/** How the provider has answered. `works`: it accepted or refused the message. */
export type Answer = "works" | Again;

export interface Attempted {
  result: Result;
  /** It counts as an attempt. */
  isTried: boolean;
  /** Absent: the provider was not asked. */
  answer?: Answer | undefined;
  /** The day whose limits count the message. */
  countedOn?: string | undefined;
}

/** Reserved for one request to a provider, ms. */
const requestMs = 20_000;

/** Sends a message that is ready. */
type Send = (mayAsk: boolean) => Promise<Attempted>;

/**
 * Makes the message. Returns what sends it, or why it is not sent. `surrender`: the message ends without an attempt, for
 * this reason.
 */
export async function prepared(task: Task, surrender: string | undefined): Promise<Attempted | Send> {
  const { attempts } = task.open;
  if (surrender !== undefined) return notTried({ state: "failed", error: surrender });
  if (attempts > attemptsMax) return notTried({ state: "failed", error: "Its worker ended at each attempt." });
  return safely(task, () => prepare(task));
}

/** A fault of the service in one message must not stop the other messages. */
export async function safely<T>({ open }: Task, work: () => Promise<T>): Promise<T | Attempted> {
  try {
    return await work();
  } catch (cause) {
    if (callSignal()?.aborted) throw cause;
    log("error", "A message could not be made or sent; it is tried again.", { messageId: open.messageId, cause });
    return { result: failedIn(open.attempts, { again: "The service failed." }), isTried: true };
  }
}

async function prepare({ channel, queue, open, waiting }: Task): Promise<Attempted | Send> {
  const { attempts, messageId, countedOn } = open;
  const content = await contentOfMessage(channel.name, queue, open, waiting, messageId);
  if ("omitted" in content) return notTried({ state: "omitted", error: content.omitted });
  if ("problem" in content) return notTried({ state: "failed", error: content.problem });
  if ("again" in content) return { result: failedIn(attempts, content), isTried: true };
  const sender = await channel.senderOf(queue);
  if ("problem" in sender) return notTried({ state: "failed", error: sender.problem });
  const { workspace } = queue;
  const { organizationId, userId } = open;
  const found = await sender.addressOf({ workspace, organizationId, userId, email: content.email });
  if ("problem" in found) return notTried({ state: "failed", error: found.problem });
  if ("again" in found) return { result: failedIn(attempts, found), isTried: true, answer: found };
  const admission = await admissionOf({
    ...{ queue, messageId, countedOn },
    address: found.address,
    mayBeInDigest: attempts === 1 && open.documentUid !== digestUid,
  });
  if ("refusal" in admission) return notTried({ state: "failed", error: admission.refusal });
  if ("digest" in admission) return notTried({ state: "digest", error: admission.digest });
  if ("later" in admission) return notTried({ state: "waiting", ...admission });
  return async (mayAsk) => {
    // A worker that was slow so far can lose its claim while it sends.
    if (!mayAsk || Date.now() + requestMs > open.claimedUntil) {
      const error = "The service was too slow.";
      return { ...notTried({ state: "waiting", error, later: Date.now() }), ...admission };
    }
    // The last read before the request: once the call that erases the user has replied, no request begins.
    const isWanted = async () => (await BeingErased.jobsOf({ workspace, organizationId }, [userId])).length === 0;
    if (!(await isWanted()))
      return { ...notTried({ state: "omitted", error: "The user is being erased." }), ...admission };
    const outcome = await sender.send(content.message, found.address, isWanted);
    const answer = "again" in outcome ? outcome : "works";
    return { result: resultOf(outcome, attempts), isTried: true, answer, ...admission };
  };
}

const notTried = (result: Result): Attempted => ({ result, isTried: false });

function resultOf(outcome: Outcome, attempts: number): Result {
  if ("isSent" in outcome) return { state: "sent" };
  if ("refusal" in outcome) return { state: "failed", error: outcome.refusal };
  return failedIn(attempts, outcome);
}

/** The result of a failed attempt. The number of attempts decides when the next attempt is. */
function failedIn(attempts: number, { again, afterMs }: Again): Result {
  const later = nextMessageAttemptAt(attempts, Date.now(), afterMs);
  return later === undefined
    ? { state: "failed", error: `It was tried for a day: ${again}` }
    : { state: "waiting", error: again, later };
}

/** Waits in ms after the first, second, … attempt (DECISIONS.md#attempts-of-messages). Together 24 hours. */
const waits = [1, 5, 15, 60, 180, 360, 819].map((minutes) => minutes * 60_000);
/** Attempts that were begun, including attempts whose worker died. */
const attemptsMax = waits.length + 1;
/** Each wait is up to this share longer or shorter, so that messages that failed together do not come back together. */
const jitter = 0.1;

/** Ms since the epoch; undefined after the last attempt. `afterMs`: how long the provider asks to wait. */
function nextMessageAttemptAt(attempts: number, now: number, afterMs = 0): number | undefined {
  const wait = waits[attempts - 1];
  if (wait === undefined) return undefined;
  return Math.ceil(now + Math.max(wait * (1 - jitter + 2 * jitter * Math.random()), afterMs));
}

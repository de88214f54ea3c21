// Sends what waits in one conversation as one message, and records what became of it.
//
// A message is sent before it is recorded, so a worker that dies in between sends it twice, with the same Message-ID.
// Nothing else sends twice: the record names the events that were sent, and a repeated run removes those.
import { onBehalfOf } from "../call.ts";
import { log } from "../log.ts";
import * as Message from "../store/message.ts";
import * as Waiting from "../store/waiting-message.ts";
import type { Channel, Outcome } from "./channel.ts";
import { contentOf } from "./content.ts";
import { admissionOf } from "./limits.ts";
import { nextMessageAttemptAt } from "./schedule.ts";

/** Most events in one message. The next ones are in the next message. */
const eventsMax = 100;

interface Task {
  channel: Channel;
  queue: Waiting.MessageQueueRef;
  due: Waiting.DueMessage;
  waiting: Waiting.WaitingMessage[];
  messageId: string;
  attempts: number;
}

/** What became of a message. `later`: when it is due again, ms since the epoch. */
type Result = { state: "sent" } | { state: "failed" | "omitted"; error: string } | Later;
interface Later {
  state: "waiting";
  error: string;
  later: number;
}

export async function deliver(
  channel: Channel,
  queue: Waiting.MessageQueueRef,
  due: Waiting.DueMessage,
): Promise<void> {
  const waiting = await Waiting.waitingIn(queue, due, eventsMax);
  const [first] = waiting;
  if (!first) return Waiting.removeDue(queue, [due]);
  const messageId = Message.messageIdOf(channel.name, first);
  const known = await Message.get(queue, messageId);
  if (known && known.state !== "waiting") {
    const origins = new Set(known.origins);
    return Waiting.remove(
      queue,
      waiting.filter(({ origin }) => origins.has(origin)),
    );
  }
  // A further event came while the message waits for its next attempt. It goes along.
  const nextAttemptAt = Date.parse(known?.nextAttemptAt ?? "");
  if (nextAttemptAt > Date.now()) return Waiting.postpone(queue, [due], nextAttemptAt);
  const task = { channel, queue, due, waiting, messageId, attempts: known?.attempts ?? 0 };
  await onBehalfOf(first.causedBy, () => deliverNow(task));
}

async function deliverNow(task: Task): Promise<void> {
  const startedAt = new Date();
  const { result, isTried } = await attempt(task);
  const attempts = task.attempts + Number(isTried);
  await record(task, result, attempts, startedAt);
  const { queue, waiting, due } = task;
  if (result.state === "waiting") await Waiting.postpone(queue, [due, ...waiting], result.later);
  else await Waiting.remove(queue, waiting);
  const { workspace, channel } = queue;
  const error = "error" in result ? { error: result.error } : {};
  const line = { workspace, channel, message: task.messageId, attempt: attempts, outcome: result.state, ...error };
  log(result.state === "failed" ? "warn" : "info", "message", line);
}

/** `isTried`: the provider was asked to send. */
async function attempt({
  channel,
  queue,
  due,
  waiting,
  messageId,
  attempts,
}: Task): Promise<{ result: Result; isTried: boolean }> {
  const notTried = (result: Result) => ({ result, isTried: false });
  const content = await contentOf(channel.name, queue, due, waiting, messageId);
  if ("omitted" in content) return notTried({ state: "omitted", error: content.omitted });
  const sender = await channel.senderOf(queue);
  if ("problem" in sender) return notTried({ state: "failed", error: sender.problem });
  const found = await sender.addressOf(content.email);
  if ("problem" in found) return notTried({ state: "failed", error: found.problem });
  if ("again" in found) return { result: resultOf(found, attempts + 1), isTried: true };
  const admission = await admissionOf(queue, found.address);
  if ("refusal" in admission) return notTried({ state: "failed", error: admission.refusal });
  if ("later" in admission) return notTried({ state: "waiting", ...admission });
  return { result: resultOf(await sender.send(content.digest, found.address), attempts + 1), isTried: true };
}

function resultOf(outcome: Outcome, attempts: number): Result {
  if ("isSent" in outcome) return { state: "sent" };
  if ("refusal" in outcome) return { state: "failed", error: outcome.refusal };
  const later = nextMessageAttemptAt(attempts, Date.now(), outcome.afterMs);
  return later === undefined
    ? { state: "failed", error: `It was tried for a day: ${outcome.again}` }
    : { state: "waiting", error: outcome.again, later };
}

async function record({ channel, queue, due, waiting, messageId }: Task, result: Result, attempts: number, at: Date) {
  const [first] = waiting as [Waiting.WaitingMessage];
  const { workspace } = queue;
  const { organizationId, documentUid, userId } = due;
  await Message.record(
    { workspace },
    {
      messageId,
      channel: channel.name,
      organizationId,
      documentUid,
      userId,
      events: [...new Set(waiting.map(({ event }) => event))],
      createdAt: first.at,
      state: result.state,
      attempts,
      lastAttemptAt: at.toISOString(),
      ...("later" in result && { nextAttemptAt: new Date(result.later).toISOString() }),
      ...("error" in result && { error: result.error }),
      origins: waiting.map(({ origin }) => origin),
      ...(first.causedBy && { causedBy: first.causedBy }),
    },
  );
}

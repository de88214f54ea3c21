// Adds the e-mails and Slack messages of a notification to those that wait, one for each recipient and channel. Their keys
// follow from the notification and the user, so a repeated step changes nothing.
import { causedBy } from "../call.ts";
import { wake } from "../jobs/wake.ts";
import { messageJob } from "../messages/drain-job.ts";
import { channelsFor } from "../messages/wishes.ts";
import { notifiedEvent } from "../schema/interest.ts";
import * as User from "../store/access/user.ts";
import * as Waiting from "../store/messages/waiting-message.ts";
import type { Eligible } from "./eligible.ts";
import type { Run } from "./notify-run.ts";

/** The clocks of two containers differ by less, ms. */
const skewMs = 5_000;

export async function addMessages({ task, content, wishes, woken }: Run, eligible: readonly Eligible[]): Promise<void> {
  const { workspace, organizationId, documentUid, at, notificationId } = task;
  const event = { event: notifiedEvent, at, origin: `n_${notificationId}`, notificationId };
  const caused = { actorId: content.actionUser.userId, ...causedBy() };
  const queues: Waiting.DueQueue[] = [];
  for (const channel of channelsFor(wishes, notifiedEvent)) {
    const dueAt = Date.parse(at) + wishes[channel].batchMs;
    const reached = eligible.filter(({ channels }) => channels.includes(channel));
    const messages = reached.map(({ userId, user, isNamed }): Waiting.WaitingMessage => {
      const of = { organizationId, documentUid, userId, generation: User.generationOf(user) };
      return { ...of, ...event, ...caused, ...(isNamed && { isPersonal: true }), dueAt };
    });
    if (messages.length > 0) queues.push(...(await Waiting.add({ workspace, channel }, messages)));
  }
  const nameOf = ({ channel, shard }: Waiting.DueQueue) => `${channel} ${shard}`;
  // A job that this run has woken can have ended since, once it was due.
  const isSureToRun = (queue: Waiting.DueQueue) => woken.has(nameOf(queue)) && queue.dueAt > Date.now() + skewMs;
  const asleep = queues.filter((queue) => !isSureToRun(queue));
  await wake(asleep.map(messageJob));
  for (const queue of asleep) woken.add(nameOf(queue));
}

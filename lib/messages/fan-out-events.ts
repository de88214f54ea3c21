// Adds the messages of the events of one outbox job. A repeated step adds nothing twice: the keys of messages follow from
// the events.
import type { Job } from "../jobs/job.ts";
import { wake } from "../jobs/wake.ts";
import type { DueQueue } from "../store/waiting-message.ts";
import type { OutboxPayload } from "../webhooks/fan-out-events.ts";
import { messageJob } from "./drain-job.ts";
import { addMessages, type MessageProgress } from "./fan-out.ts";
import { wishesOf } from "./wishes.ts";

/** How far an outbox job has come with messages. */
export interface MessagesDone {
  /** The next event. */
  next: number;
  progress?: MessageProgress | undefined;
}

/** Returns the payload of another run if `until` (ms since the epoch) comes first; undefined: all events are done. */
export async function fanOutMessages(
  { id, workspace, payload }: Job,
  until: number,
): Promise<OutboxPayload | undefined> {
  const outbox = payload as unknown as OutboxPayload;
  const { events, createdAt: at, messages = { next: 0 } } = outbox;
  if (!events.some(({ data }) => "annotationId" in data)) return undefined;
  const wishes = await wishesOf({ workspace });
  const queues = new Map<string, DueQueue>();
  let { next, progress } = messages as MessagesDone;
  while (next < events.length && Date.now() < until) {
    const event = events[next] as OutboxPayload["events"][number];
    const step = await addMessages({ event, at, origin: `${id}_${next}` }, wishes, progress);
    for (const queue of step.queues) {
      const { channel, shard, dueAt } = queue;
      const known = queues.get(`${channel} ${shard}`);
      if (!known || dueAt < known.dueAt) queues.set(`${channel} ${shard}`, queue);
    }
    progress = step.rest;
    if (!progress) next++;
  }
  await wake([...queues.values()].map(messageJob));
  return next < events.length ? { ...outbox, done: events.length, messages: { next, progress } } : undefined;
}

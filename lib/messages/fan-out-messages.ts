// Adds the messages for the events of one outbox job. A repeated step adds nothing twice, because the keys of messages
// follow from the events. They begin with the events' times and places, so messages have the order of the events.
import { type DomainEvent, eventsIn, type OutboxPayload, placeKey } from "../jobs/outbox.ts";
import { wake } from "../jobs/wake.ts";
import type { Job } from "../store/job.ts";
import type { DueQueue } from "../store/messages/waiting-message.ts";
import { addMessages, type MessageProgress } from "./add-messages.ts";
import { messageJob, wishesOf } from "./channel.ts";

/** How far an outbox job has come with messages. */
export interface MessagesDone {
  /** The next event. */
  next: number;
  /** The size of the group that begins at `next`. `progress` is about this group. */
  count: number;
  progress?: MessageProgress | undefined;
}

/** Events that are taken together. Each annotation can involve 80 users. */
const groupMax = 25;

type Events = DomainEvent[];

/** The number of events, from this one on, that are about the same document and are taken together. */
function groupSizeAt(events: Events, next: number): number {
  const placeOf = ({ organizationId, documentId, documentUid, data }: Events[number]) =>
    JSON.stringify([organizationId, documentId, documentUid, "annotationId" in data]);
  const [first, ...others] = events.slice(next, next + groupMax).map(placeOf);
  const end = others.findIndex((place) => place !== first);
  return 1 + (end === -1 ? others.length : end);
}

/** Returns the payload of another run if `until` (ms since the epoch) comes first; undefined: all events are done. */
export async function fanOutMessages(
  { id, workspace, payload }: Job,
  until: number,
): Promise<OutboxPayload | undefined> {
  const outbox = payload as unknown as OutboxPayload;
  const { createdAt: at, first = 0, messages = { next: 0, count: 1 } } = outbox;
  const events = eventsIn(outbox);
  if (!events.some(({ data }) => "annotationId" in data)) return undefined;
  const wishes = await wishesOf({ workspace });
  const queues = new Map<string, DueQueue>();
  let { next, count, progress } = messages as MessagesDone;
  while (next < events.length && Date.now() < until) {
    if (!progress) count = groupSizeAt(events, next);
    const group = events
      .slice(next, next + count)
      .map((event, index) => ({ event, at, origin: `${placeKey(first + next + index)}_${id}` }));
    const step = await addMessages(group, wishes, progress);
    for (const queue of step.queues) {
      const { channel, shard, dueAt } = queue;
      const known = queues.get(`${channel} ${shard}`);
      if (!known || dueAt < known.dueAt) queues.set(`${channel} ${shard}`, queue);
    }
    progress = step.rest;
    if (!progress) next += count;
  }
  await wake([...queues.values()].map(messageJob));
  return next < events.length ? { ...outbox, done: events.length, messages: { next, count, progress } } : undefined;
}

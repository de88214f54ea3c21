// Turns events of comment annotations into waiting messages: one for each user and channel that gets the event
// (DECISIONS.md#who-gets-messages). First it takes the involved users. Then it takes, page by page, the users who chose
// to get everything. The events of one call about one document are taken together, since most reads are the same for
// all of them.
import { causedBy } from "../call.ts";
import { findAnnotations } from "../features/find-features.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { type MessageChannel, messageChannels } from "../schema/message-channels.ts";
import { participantsOf } from "../schema/participants.ts";
import * as User from "../store/access/user.ts";
import { nextWatchers, startOfWatchers, type WatcherCursors } from "../store/features/watcher.ts";
import * as Waiting from "../store/messages/waiting-message.ts";
import * as Preference from "../store/notifications/preference.ts";
import type { DocumentDataRef, OrganizationRef } from "../store/refs.ts";
import { channelsFor, type Wishes } from "./channel.ts";
import { getsMessage, isStillPersonal } from "./who.ts";

/** How far the fan-out of a group has come. Absent: it has not begun. */
export interface MessageProgress {
  channel: MessageChannel;
  /** Absent: the involved users are next. */
  cursors?: WatcherCursors;
}

/** The result of one step. `rest`: the rest of the group; absent: nothing is left. */
interface Step {
  queues: Waiting.DueQueue[];
  rest?: MessageProgress;
}

/** Most messages that one step adds for users who get everything. */
const watchedMax = 1_000;

/**
 * Adds the messages of one step: for one channel, the involved users or one page of the users who get everything.
 * `group`: events about one document. Either all events are about annotations, or none is.
 */
export async function addMessages(
  group: readonly MessageEvent[],
  wishes: Wishes,
  progress?: MessageProgress,
): Promise<Step> {
  const [first] = group;
  if (!first || annotationOf(first) === undefined) return { queues: [] };
  const wanted = new Set(group.flatMap(({ event }) => channelsFor(wishes, event.type)));
  const channels = messageChannels.filter((channel) => wanted.has(channel));
  const channel = progress?.channel ?? channels[0];
  const place = channel && placeOf(first);
  if (!place) return { queues: [] };
  const following = channels[channels.indexOf(channel) + 1];
  const rest = following && { rest: { channel: following } };
  const { types, batchMs } = wishes[channel];
  const sent = group.filter(({ event }) => types.has(event.type));
  const events = await withPeople(place, sent);
  if (events.length === 0) return { queues: [], ...rest };
  const to = { place, channel, batchMs };
  if (!progress?.cursors) {
    return {
      queues: await addFor(to, events, ({ involved }) => [...involved]),
      rest: { channel, cursors: startOfWatchers },
    };
  }
  const entriesMax = Math.ceil(watchedMax / group.length);
  const { watchers, cursors, isDone } = await nextWatchers(channel, place, progress.cursors, entriesMax);
  const userIds = [...new Set(watchers.map(({ userId }) => userId))];
  const queues = await addFor(to, events, ({ involved }) => userIds.filter((userId) => !involved.has(userId)));
  return isDone ? { queues, ...rest } : { queues, rest: { channel, cursors } };
}

interface To {
  place: Place;
  channel: MessageChannel;
  batchMs: number;
}

/** Adds a message for each of these users who gets the event. Returns the queues that have got messages. */
async function addFor(
  { place, channel, batchMs }: To,
  events: readonly EventWithPeople[],
  usersOf: (event: EventWithPeople) => string[],
): Promise<Waiting.DueQueue[]> {
  const pairs = events.flatMap((each) => usersOf(each).map((userId) => ({ ...each, userId })));
  const userIds = [...new Set(pairs.map(({ userId }) => userId))];
  const [users, preferences] = await Promise.all([User.getMany(place, userIds), Preference.ofUsers(place, userIds)]);
  const known = new Map(userIds.map((userId, index) => [userId, { user: users[index], own: preferences[index] }]));
  const { workspace, organizationId, documentUid } = place;
  const messages = pairs.flatMap(({ message: { event, at, origin }, involved, personal, userId }) => {
    const { user, own } = known.get(userId) ?? {};
    if (!User.isKnown(user) || !User.hadBegun(user, at)) return [];
    const { annotationId, commentId, actionUserId, from } = event.data as EventData;
    const actorId = actionUserId ?? from;
    const level = Preference.resolve(user, own)[channel];
    const who = { isActor: userId === actorId, isInvolved: involved.has(userId), level };
    if (!getsMessage(who)) return [];
    const isPersonal = personal.has(userId);
    const dueAt = Date.parse(at) + (isPersonal ? 0 : batchMs);
    const subject = { annotationId, commentId, actorId, value: event.value, ...(isPersonal && { isPersonal }) };
    const of = { organizationId, documentUid, userId, generation: User.generationOf(user) };
    return [{ ...of, event: event.type, at, origin, ...subject, dueAt, ...causedBy() }];
  });
  return Waiting.add({ workspace, channel }, messages);
}

/** One event, as the outbox has it. */
interface MessageEvent {
  event: DomainEvent;
  /** ISO 8601. */
  at: string;
  /** Identifies the event. */
  origin: string;
}

interface EventData {
  annotationId?: string;
  commentId?: string;
  actionUserId?: string;
  from?: string;
  assignedTo?: string | null;
}

type Place = DocumentDataRef & OrganizationRef;

/** An event, with the users whom it concerns. */
interface EventWithPeople {
  message: MessageEvent;
  /** Author, repliers, mentioned and assigned users. */
  involved: Set<string>;
  /** The users whom the event mentions newly, or to whom it assigns the annotation. */
  personal: Set<string>;
}

/** Undefined: the event is about no document. */
const placeOf = ({ event: { workspace, organizationId, documentUid } }: MessageEvent): Place | undefined =>
  documentUid && { workspace, organizationId, documentUid };

const annotationOf = ({ event }: MessageEvent) => (event.data as EventData).annotationId;

/** The events whose annotation still exists, with the users whom they concern. */
async function withPeople(place: Place, messages: readonly MessageEvent[]): Promise<EventWithPeople[]> {
  const { annotations } = await findAnnotations(
    place,
    messages.flatMap((each) => annotationOf(each) ?? []),
  );
  return messages.flatMap((message): EventWithPeople[] => {
    const annotation = annotations.get(annotationOf(message) ?? "");
    if (!annotation) return [];
    const { data, mentions = [] } = message.event;
    const { commentId } = data as EventData;
    const personal = mentions.filter((userId) => isStillPersonal(annotation, userId, commentId));
    return [{ message, involved: new Set(participantsOf.comments(annotation)), personal: new Set(personal) }];
  });
}

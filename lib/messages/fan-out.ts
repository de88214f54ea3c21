// Turns events of comment annotations into waiting messages: one for each user and channel that gets the event
// (DECISIONS.md#who-gets-messages). First the users involved, then page by page those who chose to get everything.
import { causedBy } from "../call.ts";
import { findFeatures } from "../features/find-features.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { type CommentAnnotation, participantsOf } from "../schema/features.ts";
import type { MessageChannel } from "../schema/message-channels.ts";
import * as Document from "../store/document.ts";
import * as Preference from "../store/preference.ts";
import type { DocumentDataRef, OrganizationRef } from "../store/refs.ts";
import * as User from "../store/user.ts";
import * as Waiting from "../store/waiting-message.ts";
import { nextWatchers, startOfWatchers, type WatcherCursors } from "../store/watcher.ts";
import { personalIn } from "./personal.ts";
import { getsMessage } from "./who.ts";
import { channelsFor, type Wishes } from "./wishes.ts";

/** One event, as the outbox has it. */
export interface MessageEvent {
  event: DomainEvent;
  /** ISO 8601. */
  at: string;
  /** Identifies the event. */
  origin: string;
}

/** How far the fan-out of an event has come. Absent: it has not begun. */
export interface MessageProgress {
  channel: MessageChannel;
  /** Absent: the users involved are next. */
  cursors?: WatcherCursors;
}

interface EventData {
  annotationId?: string;
  commentId?: string;
  actionUserId?: string;
  from?: string;
  assignedTo?: string | null;
}

interface Audience {
  document: DocumentDataRef & OrganizationRef;
  /** Author, repliers, mentioned and assigned users. */
  involved: Set<string>;
  /** Those of them whom the event mentions, or to whom it assigns the annotation. */
  personal: Set<string>;
}

/** Undefined: the document or the annotation is gone. */
async function audienceOf({
  workspace,
  organizationId,
  documentId,
  documentUid: known,
  type,
  data,
}: DomainEvent): Promise<Audience | undefined> {
  const { annotationId, commentId } = data as EventData;
  if (annotationId === undefined || documentId === undefined) return undefined;
  // An outbox job of an earlier version has only the document's id.
  const documentUid = known ?? (await Document.get({ workspace, organizationId, documentId }))?.documentUid;
  if (!documentUid) return undefined;
  const document = { workspace, organizationId, documentUid };
  const [feature] = await findFeatures(document, [{ kind: "comments", id: annotationId }]);
  if (!feature?.stored) return undefined;
  const annotation = JSON.parse(feature.stored.record) as CommentAnnotation;
  const involved = new Set(participantsOf.comments(annotation));
  return { document, involved, personal: new Set(personalIn(type, annotation, commentId)) };
}

/** What one step has done. `rest`: what remains of the event; absent: nothing. */
interface Step {
  queues: Waiting.DueQueue[];
  rest?: MessageProgress;
}

/** Adds the messages of one step: for one channel, the users involved or one page of those who get everything. */
export async function addMessages(message: MessageEvent, wishes: Wishes, progress?: MessageProgress): Promise<Step> {
  const channels = channelsFor(wishes, message.event.type);
  const channel = progress?.channel ?? channels[0];
  const audience = channel && (await audienceOf(message.event));
  if (!audience) return { queues: [] };
  const about = { message, channel, audience, batchMs: wishes[channel].batchMs };
  if (!progress?.cursors) {
    return { queues: await addFor(about, [...audience.involved]), rest: { channel, cursors: startOfWatchers } };
  }
  const { watchers, cursors, isDone } = await nextWatchers(channel, audience.document, progress.cursors);
  const others = watchers.map(({ userId }) => userId).filter((userId) => !audience.involved.has(userId));
  const queues = await addFor(about, [...new Set(others)]);
  if (!isDone) return { queues, rest: { channel, cursors } };
  const following = channels[channels.indexOf(channel) + 1];
  return { queues, ...(following && { rest: { channel: following } }) };
}

interface About {
  message: MessageEvent;
  channel: MessageChannel;
  audience: Audience;
  batchMs: number;
}

/** Adds the message of each of these users who gets the event. Returns the queues that have got some. */
async function addFor(
  { message: { event, at, origin }, channel, audience, batchMs }: About,
  userIds: readonly string[],
): Promise<Waiting.DueQueue[]> {
  const { document, involved, personal } = audience;
  const { workspace, organizationId, documentUid } = document;
  const { annotationId, commentId, actionUserId, from } = event.data as EventData;
  const actorId = actionUserId ?? from;
  const [users, preferences] = await Promise.all([
    User.getMany(document, userIds),
    Preference.ofUsers(document, userIds),
  ]);
  const messages = userIds.flatMap((userId, index): Waiting.WaitingMessage[] => {
    const user = users[index];
    if (!User.isKnown(user) || !User.hadBegun(user, at)) return [];
    const { level, isExplicit } = Preference.levelOf(user, preferences[index], channel);
    const who = { isActor: userId === actorId, isInvolved: involved.has(userId), level, isExplicit };
    if (!getsMessage(who)) return [];
    const isPersonal = personal.has(userId);
    const dueAt = Date.parse(at) + (isPersonal ? 0 : batchMs);
    const subject = { annotationId, commentId, actorId, ...(isPersonal && { isPersonal }) };
    const of = { organizationId, documentUid, userId, generation: User.generationOf(user) };
    return [{ ...of, event: event.type, at, origin, ...subject, dueAt, ...causedBy() }];
  });
  return Waiting.add({ workspace, channel }, messages);
}

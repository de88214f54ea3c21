// The text of a message about each event: what the event has set, and texts as they are stored now. Events whose content is
// gone are omitted.
import { hasFields } from "../access/access-fields.ts";
import { textHash } from "../features/annotation-changes.ts";
import { findAnnotations } from "../features/find-features.ts";
import { visibleTo } from "../notifications/visible.ts";
import type { CommentAnnotation } from "../schema/features.ts";
import { erasedUserId } from "../schema/fields.ts";
import { participantsOf } from "../schema/participants.ts";
import type { Person } from "../schema/person.ts";
import * as User from "../store/access/user.ts";
import type { WaitingMessage } from "../store/messages/waiting-message.ts";
import { withoutDeleted } from "../store/notifications/deleted-notification.ts";
import * as Notification from "../store/notifications/notification.ts";
import type { OrganizationRef, WorkspaceRef } from "../store/refs.ts";
import type { AnnotationEntry, MessageEntry } from "./message-content.ts";
import type { Reader } from "./reader.ts";
import { isStillPersonal } from "./who.ts";

/** An entry, and whether the user is involved in it (DECISIONS.md#who-gets-messages). */
export interface FoundEntry {
  entry: MessageEntry;
  waiting: WaitingMessage;
  isInvolved: boolean;
}

/** The entries in the order of `waiting`, and the characters of the annotations that were read for them. */
export async function entriesOf(
  { workspace }: WorkspaceRef,
  reader: Reader,
  waiting: readonly WaitingMessage[],
): Promise<{ entries: FoundEntry[]; characters: number }> {
  const current = waiting.filter(({ generation }) => generation === User.generationOf(reader.user));
  const [{ annotations, characters }, notifications] = await Promise.all([
    findAnnotations(
      { workspace, documentUid: reader.document.documentUid },
      current.flatMap(({ annotationId }) => annotationId ?? []),
    ),
    notificationsOf({ workspace }, reader, current),
  ]);
  const annotationOf = ({ annotationId = "" }: WaitingMessage) => annotations.get(annotationId);
  const nameOf = await namesOf({ workspace, organizationId: reader.document.organizationId }, [
    ...current.flatMap((each) => peopleIn(annotationOf(each), each)),
    ...[...notifications.values()].map(({ actionUser }) => actionUser),
  ]);
  const entries = current.flatMap((each): FoundEntry[] => {
    const { notificationId, at } = each;
    if (notificationId !== undefined) {
      const content = notifications.get(notificationId);
      if (!content) return [];
      const { userId, name } = reader.user;
      const shown = visibleTo({ userId, ...(name !== undefined && { name }) }, content);
      const { displayHeadlineMessage: headline, displayBodyMessage: text } = shown;
      const entry = { kind: "notification", at, actorName: nameOf(content.actionUser), headline, text } as const;
      return [{ entry, waiting: each, isInvolved: each.isPersonal === true }];
    }
    const annotation = annotationOf(each);
    const entry = annotation && annotationEntry(annotation, each, nameOf);
    const isInvolved = annotation !== undefined && participantsOf.comments(annotation).includes(reader.user.userId);
    return entry ? [{ entry, waiting: each, isInvolved }] : [];
  });
  return { entries, characters };
}

/**
 * Without notifications that the user has deleted, and without notifications whose `context.access` does not match the
 * user's access fields.
 */
async function notificationsOf(
  { workspace }: WorkspaceRef,
  { user, document, fields }: Reader,
  waiting: readonly WaitingMessage[],
) {
  const { documentUid, organizationId } = document;
  const pointers = waiting.flatMap(({ notificationId, at }) =>
    notificationId === undefined ? [] : [{ organizationId, documentUid, at, notificationId }],
  );
  const life = { userId: user.userId, generation: User.generationOf(user) };
  const found = (await Notification.getMany({ workspace }, pointers)).flatMap((each) => each ?? []);
  const kept = await Promise.all(found.map((each) => withoutDeleted({ ...each, workspace }, [life])));
  const contents = found.flatMap(({ notificationId, content }, index) =>
    (kept[index]?.length ?? 0) > 0 ? [[notificationId, JSON.parse(content) as Notification.Content] as const] : [],
  );
  const own = contents.some(([, { access }]) => access.length > 0) ? await fields() : [];
  return new Map(contents.filter(([, content]) => hasFields(content, own)));
}

const commentIn = ({ comments = [] }: CommentAnnotation, { commentId }: Pick<WaitingMessage, "commentId">) =>
  comments.find((each) => each.commentId === commentId);

/** The entry of an event of an annotation; undefined: its comment is gone. */
function annotationEntry(
  annotation: CommentAnnotation,
  waiting: WaitingMessage,
  nameOf: NameOf,
): AnnotationEntry | undefined {
  const { event, at, annotationId = "", commentId, userId, value } = waiting;
  const comment = commentIn(annotation, waiting);
  if (commentId !== undefined && !comment && event !== "comment.delete") return undefined;
  const actorName = nameOf(actorIn(annotation, waiting));
  const isPersonal = waiting.isPersonal === true && isStillPersonal(annotation, userId, commentId);
  const told = { kind: "annotation", at, actorName, annotationId, isPersonal } as const;
  if (comment) {
    const isEdited = value !== undefined && value !== textHash(comment);
    return { ...told, event, text: comment.text, ...(isEdited && { isEdited }) };
  }
  const assignee = assigneeIn(waiting);
  return { ...told, event, text: assignee ? nameOf(assignee) || "somebody" : ((value as string | null) ?? undefined) };
}

/** The user who made the change, with the name in the annotation. Undefined: the caller did not say who. */
function actorIn(annotation: CommentAnnotation, { actorId, commentId }: WaitingMessage): Person | undefined {
  if (actorId === undefined) return undefined;
  const { from, assignedTo, comments = [] } = annotation;
  const people = [commentIn(annotation, { commentId })?.from, from, assignedTo, ...comments.map((each) => each.from)];
  const own = people.filter((person) => person?.userId === actorId);
  return own.find((person) => person?.name) ?? { userId: actorId };
}

/** The users whose names the event shows. */
const peopleIn = (annotation: CommentAnnotation | undefined, waiting: WaitingMessage) =>
  annotation ? [actorIn(annotation, waiting), assigneeIn(waiting)] : [];

const assigneeIn = ({ value }: WaitingMessage): Person | undefined =>
  typeof value === "object" && value !== null ? value : undefined;

/** The name of a person: from the content, else from the profile. Empty for undefined and for an erased user. */
type NameOf = (person: Person | undefined) => string;

/** Reads the profiles of the people without a name. */
export async function namesOf(ref: OrganizationRef, people: readonly (Person | undefined)[]): Promise<NameOf> {
  const nameless = people.flatMap((each) => (each && !each.name && each.userId !== erasedUserId ? [each.userId] : []));
  const ids = [...new Set(nameless)];
  const users = ids.length > 0 ? await User.getMany(ref, ids) : [];
  const names = new Map(ids.map((userId, index) => [userId, users[index]?.name || userId] as const));
  return (person) => (person && (person.name || names.get(person.userId))) ?? "";
}

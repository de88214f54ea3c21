// The changes between two versions of a comment annotation, as events.
import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { beginning } from "../beginning.ts";
import { cutTexts } from "../jobs/cut-texts.ts";
import type { EventType, EventValue } from "../schema/events.ts";
import type { Comment, CommentAnnotation } from "../schema/features.ts";
import { distinctBy } from "../schema/item-result.ts";
import type { Location } from "../schema/location.ts";
import type { Person } from "../schema/person.ts";

export interface Change {
  type: EventType;
  data: object;
  /** See `DomainEvent`. */
  mentions?: readonly string[];
  value?: EventValue;
}

/** A message shows less of a value or a name. */
const toldMax = 100;

/** The value as events show it: null if it was cleared. A status can have 64 KB. */
const shown = (name: string, value: string | undefined): object => cutTexts({ [name]: value ?? null });

const told = (value: string | undefined) => value && beginning(value, toldMax);
const toldPerson = ({ userId, name }: Person): Person => ({ userId, name: told(name) });

/** Names a text, to notice that it has changed. */
export const textHash = ({ text = "" }: Comment): string => hash("sha256", text, "base64url").slice(0, 22);

/** The first comment of each id. */
const commentsOf = ({ comments = [] }: CommentAnnotation) => distinctBy(comments, ({ commentId }) => commentId);

/** A new annotation, and each of its comments. */
export function additions(annotation: CommentAnnotation, location: Location): Change[] {
  const { annotationId, from, assignedTo } = annotation;
  const mentions = assignedTo ? [assignedTo.userId] : [];
  return [
    { type: "comment_annotation.add", data: { annotationId, from: from.userId, location }, mentions },
    ...commentsOf(annotation).map((comment) => added(annotationId, comment)),
  ];
}

const added = (annotationId: string, comment: Comment): Change => ({
  type: "comment.add",
  data: { annotationId, commentId: comment.commentId, from: comment.from.userId },
  mentions: mentionsOf(comment),
  value: textHash(comment),
});

/** The changes of a stored annotation. A new `updatedAt` alone is no change. */
export function changes(before: CommentAnnotation, after: CommentAnnotation): Change[] {
  const { annotationId } = after;
  const change = (type: EventType, data: object = {}, more: Partial<Change> = {}): Change => ({
    ...{ type, data: { annotationId, ...data } },
    ...more,
  });
  const { status, priority, assignedTo } = after;
  const [former, now] = [before.assignedTo?.userId, assignedTo?.userId];
  const assignment = { mentions: now === undefined ? [] : [now], value: assignedTo ? toldPerson(assignedTo) : null };
  return [
    ...(before.status === status
      ? []
      : [change("comment_annotation.status_change", shown("status", status), { value: told(status) ?? null })]),
    ...(before.priority === priority
      ? []
      : [change("comment_annotation.priority_change", shown("priority", priority), { value: told(priority) ?? null })]),
    ...(former === now ? [] : [change("comment_annotation.assign", { assignedTo: now ?? null }, assignment)]),
    ...(isDeepStrictEqual(otherFields(before), otherFields(after)) ? [] : [change("comment_annotation.update")]),
    ...commentChanges(before, after),
  ];
}

/** The fields without an event of their own. */
function otherFields({
  status: _s,
  priority: _p,
  comments: _c,
  updatedAt: _u,
  assignedTo,
  ...others
}: CommentAnnotation) {
  const { userId: _id, ...details } = assignedTo ?? {};
  return { ...others, ...details };
}

function commentChanges(before: CommentAnnotation, after: CommentAnnotation): Change[] {
  const { annotationId } = after;
  const [former, now] = [before, after].map(
    (each) => new Map(commentsOf(each).map((comment) => [comment.commentId, comment])),
  ) as [Map<string, Comment>, Map<string, Comment>];
  const removed = [...former.keys()].filter((commentId) => !now.has(commentId));
  return [
    ...[...now.values()].flatMap((comment): Change[] => {
      const { commentId } = comment;
      const known = former.get(commentId);
      if (!known) return [added(annotationId, comment)];
      if (isDeepStrictEqual(known, comment)) return [];
      const mentions = newMentions(known, comment);
      return [{ type: "comment.update", data: { annotationId, commentId }, mentions, value: textHash(comment) }];
    }),
    ...removed.map((commentId): Change => ({ type: "comment.delete", data: { annotationId, commentId } })),
  ];
}

function newMentions(before: Comment, after: Comment): string[] {
  const former = mentionsOf(before);
  return mentionsOf(after).filter((userId) => !former.includes(userId));
}

const mentionsOf = ({ taggedUsers = [] }: Comment) => taggedUsers.map(({ userId }) => userId);

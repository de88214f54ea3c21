// Changes of a comment annotation, for `editAnnotations`. Each returns the annotation after the change.
import { isDeepStrictEqual } from "node:util";
import { notFound } from "../errors.ts";
import type { Comment, CommentAnnotation } from "../schema/features.ts";
import { withFields } from "../schema/with-fields.ts";

type Fields = Record<string, unknown>;
type Clearable<T> = { [Name in keyof T]?: T[Name] | null | undefined };
type AnnotationUpdate = Clearable<Pick<CommentAnnotation, "status" | "priority" | "assignedTo" | "metadata">>;
type CommentUpdate = Clearable<Pick<Comment, "metadata">> & Partial<Pick<Comment, "text" | "taggedUsers">>;

/** `metadata` is merged by key; null removes a key, or all. */
function withMerged<T extends { metadata?: Fields | undefined }>(stored: T, changed: Fields): T {
  const { metadata } = changed as { metadata?: Fields | null };
  const isEmpty = metadata && !stored.metadata && Object.values(metadata).every((value) => value === null);
  const all = metadata && !isEmpty ? withFields(stored.metadata ?? {}, metadata) : metadata;
  return withFields<Fields>(stored, { ...changed, metadata: isEmpty ? undefined : all }) as T;
}

export const updated = (annotation: CommentAnnotation, update: AnnotationUpdate): CommentAnnotation =>
  withMerged(annotation, update);

/** How a new comment compares with the stored comments. */
export type Addition = "added" | "same" | "taken";

/** `taken`: another comment has the id. If the same comment is stored already, the call is a repetition. */
export function additionOf({ comments = [] }: CommentAnnotation, comment: Comment): Addition {
  const stored = comments.find(({ commentId }) => commentId === comment.commentId);
  if (!stored) return "added";
  const given = JSON.parse(JSON.stringify(comment)) as Fields;
  const isSame = Object.keys(given).every((name) => isDeepStrictEqual(given[name], (stored as Fields)[name]));
  return isSame ? "same" : "taken";
}

/** Adds the comments whose ids are free. `at` is their `createdAt`, if they have none. */
export function withComments(annotation: CommentAnnotation, given: readonly Comment[], at: string): CommentAnnotation {
  const added = given.filter((comment) => additionOf(annotation, comment) === "added");
  if (added.length === 0) return annotation;
  const stored = added.map((comment) => ({ ...comment, createdAt: comment.createdAt ?? at }));
  return { ...annotation, comments: [...(annotation.comments ?? []), ...stored] };
}

/** Throws NOT_FOUND if there is no such comment. */
export function withUpdatedComment(
  annotation: CommentAnnotation,
  commentId: string,
  update: CommentUpdate,
  at: string,
): CommentAnnotation {
  const { comments = [] } = annotation;
  if (!comments.some((each) => each.commentId === commentId)) throw notFound("comment");
  const edited = comments.map((each) => {
    if (each.commentId !== commentId) return each;
    const now = withMerged(each, update);
    return isDeepStrictEqual(now, each) ? each : { ...now, updatedAt: at };
  });
  return { ...annotation, comments: edited };
}

export function withoutComments(annotation: CommentAnnotation, commentIds: ReadonlySet<string>): CommentAnnotation {
  const { comments = [] } = annotation;
  const rest = comments.filter(({ commentId }) => !commentIds.has(commentId));
  return rest.length === comments.length ? annotation : { ...annotation, comments: rest };
}

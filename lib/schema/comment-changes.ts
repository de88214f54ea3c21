// Wire shapes of changes of comment annotations. null clears a field, and `metadata` is merged by key.
import * as z from "zod/mini";
import { Comment, Metadata, repliesMax } from "./features.ts";
import { mustBeObject } from "./messages.ts";
import { Person } from "./person.ts";
import { Id, listOf, optional, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

const clearable = <Field extends z.ZodMiniType>(field: Field) => optional(z.nullable(field));
const MergedMetadata = clearable(Metadata.check(z.describe("Merged by key; null removes a key.")));

const isSome = (fields: object) => Object.values(fields).some((value) => value !== undefined);

export const AnnotationUpdate = z
  .object(
    {
      status: clearable(Text),
      priority: clearable(Text),
      assignedTo: clearable(Person),
      metadata: MergedMetadata,
    },
    mustBeObject,
  )
  .check(z.refine(isSome, { error: "Give status, priority, assignedTo or metadata.", when: whenValid() }));

/** The annotation of a change of its comments. */
export const annotationName = { organizationId: Id, documentId: Id, annotationId: Id };

export const NewComments = listOf(Comment, repliesMax);

export const commentUpdate = {
  text: optional(Text),
  taggedUsers: Comment.shape.taggedUsers,
  metadata: MergedMetadata,
};

export const someUpdate = z.refine<{ text?: unknown; taggedUsers?: unknown; metadata?: unknown }>(
  ({ text, taggedUsers, metadata }) => isSome({ text, taggedUsers, metadata }),
  { error: "Give text, taggedUsers or metadata.", when: whenValid("text", "taggedUsers", "metadata") },
);

// Wire shapes of changes of comment annotations. null clears a field, and `metadata` is merged by key.
import * as z from "zod/mini";
import { Comment, Metadata, repliesMax } from "./features.ts";
import { AnnotationId, DocumentId, OrganizationId } from "./fields.ts";
import { mustBeObject } from "./messages.ts";
import { NamedPerson } from "./person.ts";
import { listOf, optional, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

const clearable = <Field extends z.ZodMiniType>(field: Field) => optional(z.nullable(field));
const MergedMetadata = clearable(Metadata.check(z.describe("Merged by key; null removes a key.")));

const isSome = (fields: object) => Object.values(fields).some((value) => value !== undefined);

export const AnnotationUpdate = z
  .object(
    {
      status: clearable(Text).check(
        z.describe(
          "The new status. RESOLVED resolves the thread, OPEN opens it again; any other word is kept as it is. null clears it.",
        ),
      ),
      priority: clearable(Text).check(z.describe("The new priority. null clears it.")),
      assignedTo: clearable(NamedPerson).check(z.describe("The user who is to deal with it now. null clears it.")),
      metadata: MergedMetadata,
    },
    mustBeObject,
  )
  .check(z.refine(isSome, { error: "Give status, priority, assignedTo or metadata.", when: whenValid() }));

/** The annotation of a change of its comments. */
export const annotationName = { organizationId: OrganizationId, documentId: DocumentId, annotationId: AnnotationId };

export const NewComments = listOf(Comment, repliesMax);

export const commentUpdate = {
  text: optional(Text).check(z.describe("The new text. Absent: it stays.")),
  taggedUsers: Comment.shape.taggedUsers.check(
    z.describe("The users whom the comment mentions now. Absent: they stay."),
  ),
  metadata: MergedMetadata,
};

export const someUpdate = z.refine<{ text?: unknown; taggedUsers?: unknown; metadata?: unknown }>(
  ({ text, taggedUsers, metadata }) => isSome({ text, taggedUsers, metadata }),
  { error: "Give text, taggedUsers or metadata.", when: whenValid("text", "taggedUsers", "metadata") },
);

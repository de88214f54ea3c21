// Wire shapes of documents. A field of `NewDocument` is stored and returned if the entity in `lib/store` has it too.
import * as z from "zod/mini";
import { mustBeObject } from "./messages.ts";
import { AccessType, Id, optional, Text } from "./primitives.ts";

/** A document in a request. */
export const NewDocument = z.object(
  { documentId: Id, documentName: optional(Text), accessType: optional(AccessType) },
  mustBeObject,
);
export type NewDocument = z.output<typeof NewDocument>;

/** A change of a document. Null removes a name or access type, and moves the document to the organization's root. */
export const DocumentUpdate = z.object(
  {
    documentId: Id,
    documentName: optional(z.nullable(Text)),
    accessType: optional(z.nullable(AccessType)),
    folderId: optional(z.nullable(Id)).check(z.describe("Moves the document to this folder; null: to the root.")),
  },
  mustBeObject,
);
export type DocumentUpdate = z.output<typeof DocumentUpdate>;

/** A document in a reply; `parse` picks its fields from a stored document. */
export const ShownDocument = z.object({ ...NewDocument.shape, folderId: optional(Id), createdAt: z.string() });

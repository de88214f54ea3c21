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

/** A document in a reply; `parse` picks its fields from a stored document. */
export const ShownDocument = z.object({ ...NewDocument.shape, folderId: optional(Id), createdAt: z.string() });

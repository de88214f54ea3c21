// Wire shapes of documents. A field of `NewDocument` is stored and returned if the entity in `lib/store` has it too.
import * as z from "zod/mini";
import { DocumentId } from "./fields.ts";
import { mustBeObject } from "./messages.ts";
import { AccessType, Id, IsoTime, optional, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

/** As JSON. */
export const metadataBytesMax = 8_192;
const urlBytesMax = 2_048;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const isUrl = (url: unknown) => typeof url === "string" && Buffer.byteLength(url) <= urlBytesMax;

const Metadata = z.record(z.string(), z.unknown(), mustBeObject).check(
  z.refine((fields) => bytesOf(fields) <= metadataBytesMax, { error: "Must have at most 8,192 bytes as JSON." }),
  z.refine(({ url }) => url === undefined || url === null || isUrl(url), {
    error: "Must be a string of at most 2,048 bytes.",
    path: ["url"],
    when: whenValid(),
  }),
  z.describe(
    "The client's own fields, at most 8,192 bytes as JSON. A key with null is removed. `url`, a string of at most " +
      "2,048 bytes, is the link in messages about the document, if its host is an allowed domain.",
  ),
);

/** A document in a request. */
export const NewDocument = z.object(
  {
    documentId: DocumentId,
    documentName: optional(Text).check(z.describe("The name to show for the document.")),
    accessType: optional(AccessType),
    metadata: optional(Metadata),
  },
  mustBeObject,
);
export type NewDocument = z.output<typeof NewDocument>;

/** A change of a document. Null removes a name or access type, and moves the document to the organization's root. */
export const DocumentUpdate = z.object(
  {
    documentId: DocumentId,
    documentName: optional(z.nullable(Text)).check(z.describe("The new name. null removes the name.")),
    accessType: optional(z.nullable(AccessType)).check(z.describe("The new access type. null removes it.")),
    metadata: optional(z.nullable(Metadata)).check(z.describe("Merged by key. Null removes a key, or all.")),
    folderId: optional(z.nullable(Id)).check(z.describe("Moves the document to this folder; null: to the root.")),
  },
  mustBeObject,
);
export type DocumentUpdate = z.output<typeof DocumentUpdate>;

/** A document in a reply; `parse` picks its fields from a stored document. */
export const ShownDocument = z.object({
  ...NewDocument.shape,
  metadata: optional(z.record(z.string(), z.unknown())).check(
    z.describe("Your own fields of the document. Absent: none."),
  ),
  folderId: optional(Id).check(
    z.describe("The folder that has the document. Absent: it is at the root of the organization."),
  ),
  createdAt: IsoTime.check(z.describe("When the document was added.")),
});

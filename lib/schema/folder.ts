// Wire shapes of folders. A field of `NewFolder` is stored and returned if the entity in `lib/store` has it too.
import * as z from "zod/mini";
import { mustBeObject } from "./messages.ts";
import { AccessType, Id, IsoTime, optional, Text } from "./primitives.ts";

/** A folder in a request. */
export const NewFolder = z.object(
  { folderId: Id, folderName: optional(Text), parentFolderId: optional(Id), accessType: optional(AccessType) },
  mustBeObject,
);
export type NewFolder = z.output<typeof NewFolder>;

/** A change of a folder. Null removes a name or access type. */
export const FolderUpdate = z.object(
  { folderId: Id, folderName: optional(z.nullable(Text)), accessType: optional(z.nullable(AccessType)) },
  mustBeObject,
);
export type FolderUpdate = z.output<typeof FolderUpdate>;

/** A folder in a reply; `parse` picks its fields from a stored folder. */
export const ShownFolder = z.object({
  ...NewFolder.shape,
  createdAt: IsoTime,
  deletionJobId: optional(z.string()).check(z.describe("The job that deletes the folder. Absent if none does.")),
});

// Wire shapes of folders. A field of `NewFolder` is stored and returned if the entity in `lib/store` has it too.
import * as z from "zod/mini";
import { FolderId } from "./fields.ts";
import { mustBeObject } from "./messages.ts";
import { AccessType, Id, IsoTime, optional, Text } from "./primitives.ts";

/** A folder in a request. */
export const NewFolder = z.object(
  {
    folderId: FolderId,
    folderName: optional(Text).check(z.describe("The name to show for the folder.")),
    parentFolderId: optional(Id).check(
      z.describe("The folder above it. Absent: the folder is at the root of the organization."),
    ),
    accessType: optional(AccessType),
  },
  mustBeObject,
);
export type NewFolder = z.output<typeof NewFolder>;

/** A change of a folder. Null removes a name or access type. */
export const FolderUpdate = z.object(
  {
    folderId: FolderId,
    folderName: optional(z.nullable(Text)).check(z.describe("The new name. null removes the name.")),
    accessType: optional(z.nullable(AccessType)).check(z.describe("The new access type. null removes it.")),
  },
  mustBeObject,
);
export type FolderUpdate = z.output<typeof FolderUpdate>;

/** A folder in a reply; `parse` picks its fields from a stored folder. */
export const ShownFolder = z.object({
  ...NewFolder.shape,
  createdAt: IsoTime.check(z.describe("When the folder was added.")),
  deletionJobId: optional(z.string()).check(z.describe("The job that deletes the folder. Absent if none does.")),
});

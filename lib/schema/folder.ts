// Wire shapes of folders. A field of `NewFolder` is stored and returned if the entity in `lib/store` has it too.
import * as z from "zod/mini";
import { mustBeObject } from "./messages.ts";
import { AccessType, Id, optional, Text } from "./primitives.ts";

/** A folder in a request. */
export const NewFolder = z.object(
  { folderId: Id, folderName: optional(Text), parentFolderId: optional(Id), accessType: optional(AccessType) },
  mustBeObject,
);
export type NewFolder = z.output<typeof NewFolder>;

/** A folder in a reply; `parse` picks its fields from a stored folder. */
export const ShownFolder = z.object({ ...NewFolder.shape, createdAt: z.string() });

// What a user has in partitions of its own, beside the user's item.
import type { Descendants } from "./descendants.ts";
import { folderGrantEntity } from "./grant.ts";
import { inboxEntryEntity, readMarkEntity } from "./inbox.ts";
import { participationPartitions } from "./participation.ts";
import type { UserRef } from "./refs.ts";

/** Grants on folders, notifications with their read marks, and the part in each kind of feature data. */
export const userDescendants = (user: UserRef): Descendants => ({
  partitions: [
    folderGrantEntity.partition(user),
    inboxEntryEntity.partition(user),
    readMarkEntity.partition(user),
    ...participationPartitions(user),
  ],
});

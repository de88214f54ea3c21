// The partitions of one user's data. The user's item is not in them.
import { actedEntryEntity } from "./acted.ts";
import type { Descendants } from "./descendants.ts";
import { folderGrantEntity } from "./grant.ts";
import { inboxEntryEntity, readMarkEntity } from "./inbox.ts";
import { participationPartitions } from "./participation.ts";
import type { UserRef } from "./refs.ts";

/** Grants on folders, notifications received and caused, read marks, and participation in each kind of feature data. */
export const userDescendants = (user: UserRef): Descendants => ({
  partitions: [
    folderGrantEntity.partition(user),
    inboxEntryEntity.partition(user),
    readMarkEntity.partition(user),
    actedEntryEntity.partition(user),
    ...participationPartitions(user),
  ],
});

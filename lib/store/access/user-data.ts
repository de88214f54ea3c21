// The partitions of one user's data. The user's item is not in them.
import { listedActivityEntity, nameOfList } from "../activity/activity-list.ts";
import { participationPartitions } from "../features/participation.ts";
import { messageOfUserEntity } from "../messages/message.ts";
import { slackUserEntity } from "../messages/slack-user.ts";
import { actedEntryEntity, inboxEntryEntity, readMarkEntity } from "../notifications/inbox.ts";
import type { Descendants, UserLifeRef, UserRef } from "../refs.ts";
import { folderGrantEntity } from "./grant.ts";
import { userPropertiesEntity } from "./user-properties.ts";

/** The data that belongs to one life of a user only: notifications, read marks and properties. */
export const userLifePartitions = (life: UserLifeRef): string[] => [
  inboxEntryEntity.partition(life),
  readMarkEntity.partition(life),
  userPropertiesEntity.partition(life),
];

/**
 * Grants on folders, notifications caused, messages, the Slack user, activities, participation in each kind of feature
 * data, and the data of each life of the user.
 */
export function userDescendants({ generation = 0, ...user }: UserRef & { generation?: number }): Descendants {
  const lives = Array.from({ length: generation + 1 }, (_, each) => ({ ...user, generation: each }));
  return {
    partitions: [
      folderGrantEntity.partition(user),
      actedEntryEntity.partition(user),
      messageOfUserEntity.partition(user),
      slackUserEntity.partition(user),
      listedActivityEntity.partition({ ...user, listName: nameOfList({ by: "user", of: user.userId }) }),
      ...participationPartitions(user),
      ...lives.flatMap(userLifePartitions),
    ],
  };
}

// From format 3 to 4: a preference `ALL` for messages puts the user on the lists of the document or organization.
import { type Item, shardOf } from "../dynamodb/key.ts";
import { type MessageChannel, messageChannels } from "../schema/message-channels.ts";
import type { Preference } from "./preference.ts";
import type { User } from "./user.ts";
import { documentWatcherEntity, entryIn, organizationWatcherEntity, watchedName } from "./watcher.ts";

/** A user's preference for a document, with the entries in the lists of the document. */
export function withDocumentLists(item: Item): Item[] {
  const { email, slack } = item as Preference;
  return watched(item, { email, slack }, (channel) =>
    entryIn(documentWatcherEntity, item.pk, channel, watcherOf(item)),
  );
}

/** A user's item, with the entries in the lists of the organization. */
export function withOrganizationLists(item: Item): Item[] {
  const { notifyEmail: email, notifySlack: slack } = item as Partial<User>;
  const { pk: ofUsers } = item;
  // The item does not name its workspace. The organization's partition is its own without the shard of the users.
  const organization = ofUsers.slice(0, -`#U#${shardOf(watcherOf(item).userId)}`.length);
  const entryOf = (channel: MessageChannel) =>
    entryIn(organizationWatcherEntity, organization, channel, watcherOf(item));
  return watched(item, { email, slack }, entryOf);
}

function watcherOf(item: Item) {
  const { userId, generation = 0 } = item as Partial<User>;
  return { userId: String(userId), generation };
}

/** An entry of an earlier level stays: who gets a message is decided by the preference, when it is sent. */
function watched(item: Item, levels: Preference, entryOf: (channel: MessageChannel) => Item): Item[] {
  const due = messageChannels.filter((each) => (levels[each] === "ALL") !== (item[watchedName(each)] === true));
  if (due.length === 0) return [item];
  const next = { ...item };
  const added = due.filter((channel) => levels[channel] === "ALL");
  for (const channel of due) delete next[watchedName(channel)];
  for (const channel of added) next[watchedName(channel)] = true;
  return [next, ...added.map(entryOf)];
}

// Notification preferences of a user. The preference for a document is stored under the document's internal id, so it
// ends with the document. The preference for the organization is part of the user's item. A preference belongs to one
// generation of its user, as a grant does. The same transaction puts a user who chooses `ALL` for messages on a list
// (`watcher.ts`).
import { entity } from "../../dynamodb/entity.ts";
import { type Key, segment } from "../../dynamodb/key.ts";
import { conflict, retryOnConflict } from "../../dynamodb/retry-on-conflict.ts";
import * as Table from "../../dynamodb/table.ts";
import { anyValue, type Write } from "../../dynamodb/write.ts";
import { writeEach } from "../../dynamodb/write-each.ts";
import { messageChannels } from "../../schema/message-channels.ts";
import { type Channel, channels, type Level } from "../../schema/notifications.ts";
import { generationOf, type User, userEntity } from "../access/user.ts";
import { documentWatcherEntity, organizationWatcherEntity, watcherKeysBeside, watching } from "../features/watcher.ts";
import {
  type Descendants,
  type DocumentDataRef,
  type DocumentUid,
  documentDataPartition,
  type OrganizationRef,
  type WorkspaceRef,
} from "../refs.ts";

export type Preference = Partial<Record<Channel, Level | undefined>>;
export type StoredPreference = Preference & { userId: string; generation: number };

export const preferenceEntity = entity<StoredPreference>()({
  name: "preference",
  attributes: ["userId", "generation", "inbox", "email", "slack"],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "PREF#",
  sk: ({ userId }: { userId: string }) => segment(userId),
});

/** The entries of the user in the lists of the document. */
export const preferenceDescendants = (item: StoredPreference & Partial<Key>): Descendants => ({
  items: watcherKeysBeside({ ...item, pk: item.pk ?? "" }),
});

const ofOrganization = ({ notifyInbox, notifyEmail, notifySlack }: Partial<User> = {}): Preference => ({
  inbox: notifyInbox,
  email: notifyEmail,
  slack: notifySlack,
});

/** What a user gets who has set nothing. */
const defaults = { inbox: "ALL", email: "MINE", slack: "MINE" } as const;

/** The user's level for each channel: for the document (`stored`), else for the organization, else the default. */
export function resolve(user: User | undefined, stored?: StoredPreference): Record<Channel, Level> {
  const own: Preference = stored?.generation === generationOf(user) ? stored : {};
  const general = ofOrganization(user);
  const levelOf = (channel: Channel) => own[channel] ?? general[channel] ?? defaults[channel];
  return { inbox: levelOf("inbox"), email: levelOf("email"), slack: levelOf("slack") };
}

/** Whether a level for the channel is set on the document. */
export const hasOwn = (user: User | undefined, stored: StoredPreference | undefined, channel: Channel) =>
  stored?.generation === generationOf(user) && stored[channel] !== undefined;

/** The user's preferences on these documents, in their order. */
export async function listOf({ workspace }: WorkspaceRef, userId: string, documentUids: readonly DocumentUid[]) {
  return Table.getMany<StoredPreference>(
    documentUids.map((documentUid) => preferenceEntity.key({ workspace, documentUid, userId })),
  );
}

/** The preferences of these users on one document, in their order. */
export async function ofUsers(document: DocumentDataRef, userIds: readonly string[]) {
  return Table.getMany<StoredPreference>(userIds.map((userId) => preferenceEntity.key({ ...document, userId })));
}

/** Sets the given channels for the organization. Returns false for each user who was deleted meanwhile. */
export async function setOnOrganization(
  organization: OrganizationRef,
  users: readonly User[],
  preference: Preference,
): Promise<boolean[]> {
  const { inbox, email, slack } = preference;
  const set = { notifyInbox: inbox, notifyEmail: email, notifySlack: slack };
  const unitOf = (user: User) => {
    const { userId, generation } = user;
    const lists = given(preference).map(({ channel, level }) =>
      watching(organizationWatcherEntity, { ...organization, channel, userId, generation: generationOf(user) }, level),
    );
    const update = userEntity.update({ ...organization, userId }, { set }, { userId: anyValue, generation });
    return { writes: [update, ...lists] };
  };
  return writeEach(users.map(unitOf));
}

/** Sets the given channels for each user on each document. A preference of a later generation of the user stays. */
export async function setOnDocuments(
  { workspace }: WorkspaceRef,
  users: readonly User[],
  documentUids: readonly DocumentUid[],
  preference: Preference,
): Promise<void> {
  let rest = users.flatMap((user) =>
    documentUids.map((documentUid) => ({ user, ref: { workspace, documentUid, userId: user.userId } })),
  );
  await retryOnConflict("preferences", async () => {
    const stored = await Table.getMany<StoredPreference>(rest.map(({ ref }) => preferenceEntity.key(ref)));
    const units = rest.flatMap((pair, index) => {
      const isLater = (stored[index]?.generation ?? 0) > generationOf(pair.user);
      return isLater ? [] : [{ ...pair, writes: settingOn(pair, stored[index], preference) }];
    });
    const written = await writeEach(units);
    rest = units.filter((_, index) => !written[index]);
    return rest.length === 0 ? undefined : conflict;
  });
}

/**
 * The writes that set the given channels, and the lists of users who chose `ALL`. A preference of an earlier generation
 * of the user is replaced as a whole.
 */
function settingOn(
  { ref, user }: { ref: DocumentDataRef & { userId: string }; user: User },
  stored: StoredPreference | undefined,
  preference: Preference,
): Write[] {
  const generation = generationOf(user);
  const isStale = stored !== undefined && stored.generation !== generation;
  const absent = isStale ? channels.filter((channel) => preference[channel] === undefined) : [];
  const ended = isStale ? messageChannels.filter((channel) => preference[channel] === undefined) : [];
  const set = { userId: user.userId, generation, ...preference };
  const lists = [...given(preference), ...ended.map((channel) => ({ channel, level: "NONE" }) as const)];
  return [
    preferenceEntity.update(ref, { set, remove: absent }, { generation: stored?.generation }),
    ...lists.map(({ channel, level }) => watching(documentWatcherEntity, { ...ref, channel, generation }, level)),
  ];
}

/** The channels of messages that a preference sets. */
const given = (preference: Preference) =>
  messageChannels.flatMap((channel) => {
    const level = preference[channel];
    return level === undefined ? [] : [{ channel, level }];
  });

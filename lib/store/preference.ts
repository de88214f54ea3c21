// What a user wants to hear of: on a document under its uid, so that it ends with the document, and for the whole
// organization in the user's own item. A preference belongs to one life of its user, as grants do.

import * as Table from "../dynamodb/table.ts";
import { anyValue, type Write } from "../dynamodb/write.ts";
import { ApiError } from "../errors.ts";
import { commitEach } from "../jobs/commit.ts";
import { type Channel, channels, type Level } from "../schema/notifications.ts";
import { dataKeys } from "./data-keys.ts";
import { keys } from "./keys.ts";
import { lifeOf, type User } from "./user.ts";

export type Preference = Partial<Record<Channel, Level | undefined>>;
export type StoredPreference = Preference & { userId: string; life: number };

/** A round is lost only to another call that changes the same preference. */
const roundsMax = 5;

const ofOrganization = ({ notifyInbox, notifyEmail, notifySlack }: Partial<User> = {}): Preference => ({
  inbox: notifyInbox,
  email: notifyEmail,
  slack: notifySlack,
});

/** What holds for the user: the document's, else the organization's, else all. `stored` is the document's. */
export function resolve(user: User | undefined, stored?: StoredPreference): Record<Channel, Level> {
  const own: Preference = stored?.life === lifeOf(user) ? stored : {};
  const general = ofOrganization(user);
  const levelOf = (channel: Channel) => own[channel] ?? general[channel] ?? "ALL";
  return { inbox: levelOf("inbox"), email: levelOf("email"), slack: levelOf("slack") };
}

/** The user's preferences on the documents with these uids, in their order. */
export async function listOf(workspace: string, userId: string, uids: readonly string[]) {
  return Table.getMany<StoredPreference>(uids.map((uid) => dataKeys.preference(workspace, uid, userId)));
}

/** Changes the given channels for the whole organization; false for users who were deleted meanwhile. */
export async function setOnOrganization(
  workspace: string,
  organizationId: string,
  users: readonly User[],
  { inbox, email, slack }: Preference,
): Promise<boolean[]> {
  const set = { notifyInbox: inbox, notifyEmail: email, notifySlack: slack };
  const unitOf = ({ userId, life }: User) => ({
    writes: [{ update: keys.user(workspace, organizationId, userId), set, if: { userId: anyValue, life } }],
  });
  return commitEach(users.map(unitOf));
}

/** Changes the given channels of each user on each document. */
export async function setOnDocuments(
  workspace: string,
  users: readonly User[],
  uids: readonly string[],
  preference: Preference,
): Promise<void> {
  let rest = users.flatMap((user) => uids.map((uid) => ({ user, uid })));
  for (let round = 0; rest.length > 0; round++) {
    if (round === roundsMax) throw new ApiError("UNAVAILABLE", "The preferences are being changed. Try again.");
    const stored = await Table.getMany<StoredPreference>(
      rest.map(({ user, uid }) => dataKeys.preference(workspace, uid, user.userId)),
    );
    const units = rest.map((pair, index) => ({
      ...pair,
      writes: [onDocument(workspace, pair.uid, pair.user, stored[index], preference)],
    }));
    const outcome = await commitEach(units);
    rest = units.filter((_, index) => !outcome[index]);
  }
}

/** What an earlier life of the user left is replaced as a whole. */
function onDocument(
  workspace: string,
  uid: string,
  user: User,
  stored: StoredPreference | undefined,
  preference: Preference,
): Write {
  const life = lifeOf(user);
  const isStale = stored !== undefined && stored.life !== life;
  return {
    update: dataKeys.preference(workspace, uid, user.userId),
    set: { userId: user.userId, life, ...preference },
    remove: isStale ? channels.filter((channel) => preference[channel] === undefined) : [],
    if: { life: stored?.life },
  };
}

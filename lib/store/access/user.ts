// A user of an organization. The profile and the organization grant are one item, since most reads need both. After a
// deletion, the item stays as a tombstone with a generation number, so grants of a deleted user never become valid
// again.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import type { Page } from "../../dynamodb/page.ts";
import { pageOfItems } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import { above, anyValue, type Write } from "../../dynamodb/write.ts";
import { ttlAfter } from "../../retention.ts";
import type { Level } from "../../schema/notifications.ts";
import type { AccessRole } from "../../schema/primitives.ts";
import { getManyOf, getOf } from "../content/organization-life.ts";
import { unwatching } from "../features/watcher.ts";
import { type Listened, renewed } from "../listening.ts";
import { type OrganizationRef, organizationPartition, type UserLifeRef, type UserRef } from "../refs.ts";
import { type Grant, isActive, type StoredGrant } from "./grant.ts";

export interface Profile {
  name?: string | undefined;
  email?: string | undefined;
}

export interface User extends Profile, Listened {
  userId: string;
  /** Absent when there is no profile, only a grant or a tombstone. */
  createdAt?: string;
  /** When the stored item was changed last. */
  updatedAt?: string;
  /** How often the user was deleted before; absent if never. */
  generation?: number;
  /** When the generation began: the time of the last deletion, ISO 8601; absent if the user was never deleted. */
  generationSince?: string;
  /** When an erased user's item ends, Unix seconds. Adding the user again removes it. */
  ttl?: number;
  /** The grant on the organization, if the user has one: the fields of `Grant`, and `isAdmin`. */
  accessRole?: AccessRole;
  expiresAt?: number;
  access?: [string, string][];
  isAdmin?: boolean;
  /** The user has got a grant without having a profile. The mark stays when the grant ends. */
  wasGranted?: true;
  /** Properties are stored for the user. */
  hasProperties?: true;
  /** The user's preferences for the organization; absent: the default. */
  notifyInbox?: Level;
  notifyEmail?: Level;
  notifySlack?: Level;
}

type UserItem = User & { organizationId: string; updatedAt: string };

export const userEntity = entity<UserItem>()({
  name: "user",
  attributes: [
    "organizationId",
    "userId",
    "name",
    "email",
    "createdAt",
    "updatedAt",
    "generation",
    "generationSince",
    "ttl",
    "accessRole",
    "expiresAt",
    "access",
    "isAdmin",
    "wasGranted",
    "hasProperties",
    "notifyInbox",
    "notifyEmail",
    "notifySlack",
    "listenedUntil",
  ],
  pk: (ref: OrganizationRef, shard) => `${organizationPartition(ref)}#U#${shard}`,
  sk: ({ userId }: { userId: string }) => segment(userId),
  shardBy: ({ userId }) => userId,
});

/** Whether the sort key of an item has the user's id in it. */
export const isIn = (sk: string, userId: string) => sk.includes(segment(userId));

export const generationOf = (user: User | undefined) => user?.generation ?? 0;

/** Whether the user's generation had begun at this time (ISO 8601). */
export const hadBegun = (user: User | undefined, at: string) => (user?.generationSince ?? "") <= at;

export const hasProfile = (user: User | undefined): user is User => user?.createdAt !== undefined;

/**
 * Whether the user exists (DECISIONS.md#users-without-a-profile): since the last deletion, the user has got a profile or
 * a grant.
 */
export const isKnown = (user: User | undefined): user is User =>
  user !== undefined && [user.createdAt, user.wasGranted, user.accessRole].some((each) => each !== undefined);

/** Whether the user has an active grant on the organization. A profile alone is not enough. */
export function isMember(user: User | undefined): user is User & Grant {
  return user?.accessRole !== undefined && isActive(user);
}

/** Whether a grant on a folder or document is in force: it has not ended, and the user was not deleted since. */
export function holds(user: User | undefined, grant: StoredGrant | undefined): grant is StoredGrant {
  return isActive(grant) && grant?.generation === generationOf(user);
}

/** Whether the user was erased, and neither added nor given access since. */
export const isErased = (user: User) => user.ttl !== undefined && !isKnown(user);

export async function get(ref: UserRef): Promise<User | undefined> {
  return getOf<User>(ref, userEntity.key(ref));
}

/**
 * Whether a later life of the user is stored. Without an item, a deletion of the organization or an erasure has
 * removed all data of the user. Then another life of the same generation can begin.
 */
export async function isFormer(life: UserLifeRef): Promise<boolean> {
  const user = await Table.get<User>(userEntity.key(life));
  return user !== undefined && generationOf(user) > life.generation;
}

/** The stored items in the order of `ids`; undefined where nothing is stored. */
export async function getMany(organization: OrganizationRef, ids: readonly string[]) {
  return getManyOf<User>(
    organization,
    ids.map((userId) => userEntity.key({ ...organization, userId })),
  );
}

/** The write that marks the user for a page that listens now; undefined if the mark lasts. */
export function listening(ref: UserRef, user: User): Write | undefined {
  const listenedUntil = renewed(user);
  if (listenedUntil === undefined) return undefined;
  return userEntity.update(ref, { set: { listenedUntil } }, { userId: user.userId, generation: user.generation });
}

export interface UserChange {
  profile?: Profile;
  /** Replaces the whole grant on the organization. */
  grant?: Grant & { isAdmin?: boolean | undefined };
}

/**
 * The write that sets these fields. Its condition fails for `new` with a profile, and for `known` without a profile.
 * `asRead`: further conditions on the attributes of the item.
 */
export function change(
  ref: UserRef,
  { profile, grant }: UserChange,
  condition: "new" | "known" | "either",
  asRead?: { [Field in keyof User]?: unknown },
): ReturnType<typeof userEntity.update> {
  const now = new Date().toISOString();
  const { organizationId, userId } = ref;
  const changes = {
    set: {
      organizationId,
      userId,
      updatedAt: now,
      ...profile,
      ...grant,
      ...(condition === "new" && { createdAt: now }),
      ...(grant && !profile && condition === "either" && { wasGranted: true as const }),
    },
    ...(condition === "either" && profile && { setIfAbsent: { createdAt: now } }),
    remove: [
      ...(grant ? (["expiresAt", "access", "isAdmin"] as const).filter((field) => grant[field] === undefined) : []),
      ...(condition === "known" ? [] : (["ttl"] as const)),
    ],
  } as const;
  if (condition === "either") return userEntity.update(ref, changes, asRead);
  if (condition === "known") return userEntity.update(ref, changes, { createdAt: anyValue, ...asRead });
  return userEntity.update(ref, changes, { createdAt: undefined, ...asRead });
}

/**
 * The write before the first grant on a folder or document of a user without a profile. The condition fails if the user
 * was deleted since it was read.
 */
export function beginGuest(ref: UserRef, asRead: User | undefined): Write {
  const { organizationId, userId } = ref;
  const condition = { generation: asRead?.generation };
  const set = { organizationId, userId, wasGranted: true } as const;
  return userEntity.update(ref, { set, remove: ["ttl"] }, condition);
}

/** The condition that the grant on the organization still gives the role that was read, or still gives none. */
export const sameRole = (user: User | undefined) =>
  isMember(user)
    ? { accessRole: user.accessRole, expiresAt: above(Date.now() / 1_000) }
    : { accessRole: user?.accessRole, expiresAt: user?.expiresAt };

/** The write that ends the grant on the organization. The condition fails when none of this role is in force. */
export function withoutGrant(ref: UserRef, accessRole: AccessRole | typeof anyValue = anyValue): Write {
  const remove = ["accessRole", "expiresAt", "access", "isAdmin"] as const;
  return userEntity.update(ref, { remove }, { accessRole, expiresAt: above(Date.now() / 1_000) });
}

/** The writes that leave a tombstone. It makes all grants of this generation invalid, for any number of grants. */
export const removal = (organization: OrganizationRef, user: User): Write[] => tombstone(organization, user, {});

/** As `removal`, for a user whose data is erased too: the tombstone ends when no token of this generation is valid. */
export const erasureOf = (organization: OrganizationRef, user: User): Write[] =>
  tombstone(organization, user, { ttl: ttlAfter("erasedUser") });

function tombstone(organization: OrganizationRef, user: User, end: { ttl?: number }): Write[] {
  const { userId, generation, notifyEmail, notifySlack } = user;
  const { organizationId } = organization;
  const now = new Date().toISOString();
  const begun = { generation: generationOf(user) + 1, generationSince: now };
  const item = { organizationId, userId, ...begun, updatedAt: now, ...end };
  const { createdAt, wasGranted, accessRole } = user;
  // The attributes that `isKnown` reads must be unchanged, so that a user who was added since the read is not deleted.
  // The levels must be unchanged too, so that no list of watchers keeps the user.
  const condition = { generation, createdAt, wasGranted, accessRole, notifyEmail, notifySlack };
  return [
    userEntity.put({ ...organization, userId }, item, condition),
    ...unwatching({ ...organization, userId }, { email: notifyEmail, slack: notifySlack }),
  ];
}

export async function page(organization: OrganizationRef, limit: number, from?: string): Promise<Page<User>> {
  return pageOfItems(userEntity, organization, { limit, from }, hasProfile);
}

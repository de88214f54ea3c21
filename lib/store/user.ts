// A user in an organization: profile and organization grant in one item, since whoever needs one mostly needs the other.
// The item outlives the user as a tombstone that counts its lives, so that old grants never come back.

import { type Position, pageOfShards } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import { anyValue, type Write } from "../dynamodb/write.ts";
import type { Level } from "../schema/notifications.ts";
import type { AccessRole } from "../schema/primitives.ts";
import { type Grant, holds } from "./grant.ts";
import { keys } from "./keys.ts";

export interface Profile {
  name?: string | undefined;
  email?: string | undefined;
}

export interface User extends Profile {
  userId: string;
  /** Absent: there is a grant or a tombstone, but no profile. */
  createdAt?: string;
  /** Absent: the first. */
  life?: number;
  /** Present: the user has a grant on the organization, with the fields of `Grant`. */
  accessRole?: AccessRole;
  expiresAt?: number;
  access?: [string, string][];
  isAdmin?: boolean;
  /** The user's preferences for the organization; absent: the default. */
  notifyInbox?: Level;
  notifyEmail?: Level;
  notifySlack?: Level;
}

export const lifeOf = (user: User | undefined) => user?.life ?? 0;

export const hasProfile = (user: User | undefined): user is User => user?.createdAt !== undefined;

/** There is something to delete: a profile or a grant, not a tombstone alone. */
export const isKnown = (user: User | undefined): user is User =>
  user?.createdAt !== undefined || user?.accessRole !== undefined;

/** A member holds an unexpired grant on the organization; a profile alone is none. */
export function isMember(user: User | undefined): user is User & Grant {
  return user?.accessRole !== undefined && holds(user);
}

export async function getMany(workspace: string, organizationId: string, ids: readonly string[]) {
  return Table.getMany<User>(ids.map((id) => keys.user(workspace, organizationId, id)));
}

export interface UserChange {
  profile?: Profile;
  /** Replaces the whole grant on the organization. */
  grant?: Grant & { isAdmin?: boolean | undefined };
}

/** Creates or changes a user. `new` and `known` make it depend on there being no profile, or one; `either` on neither. */
export function change(
  workspace: string,
  organizationId: string,
  userId: string,
  { profile, grant }: UserChange,
  condition: "new" | "known" | "either",
): Write {
  const now = new Date().toISOString();
  return {
    update: keys.user(workspace, organizationId, userId),
    set: { userId, updatedAt: now, ...profile, ...grant, ...(condition === "new" && { createdAt: now }) },
    ...(condition === "either" && profile && { setIfAbsent: { createdAt: now } }),
    remove: grant ? (["expiresAt", "access", "isAdmin"] as const).filter((field) => grant[field] === undefined) : [],
    ...(condition !== "either" && { if: { createdAt: condition === "new" ? undefined : anyValue } }),
  };
}

/** An item without profile or grant, where there is none. */
export function mention(workspace: string, organizationId: string, userId: string): Write {
  return { update: keys.user(workspace, organizationId, userId), set: { userId } };
}

/** Ends the grant on the organization; its condition is lost where there is none. */
export function withoutGrant(workspace: string, organizationId: string, userId: string): Write {
  const remove = ["accessRole", "expiresAt", "access", "isAdmin"];
  return { update: keys.user(workspace, organizationId, userId), remove, if: { accessRole: anyValue } };
}

/** Leaves a tombstone: every grant of this life is void at once, however many there are. */
export function removal(workspace: string, organizationId: string, user: User): Write {
  const key = keys.user(workspace, organizationId, user.userId);
  const tombstone = { ...key, userId: user.userId, life: lifeOf(user) + 1 };
  return { put: tombstone, if: { life: user.life } };
}

export async function page(workspace: string, organizationId: string, limit: number, from?: Position) {
  return pageOfShards<User>((shard) => keys.userShard(workspace, organizationId, shard), limit, from, hasProfile);
}

// The users of an organization, for choices and names.
import { load } from "./api.ts";
import { seldomMs, useLive } from "./live.ts";
import { allPages } from "./paging.ts";
import type { User } from "./types.ts";

/** The first users are enough for a choice. */
export const usersMax = 200;

interface Asked {
  organizationId: string | undefined;
  /** Absent: all. */
  userIds?: string[];
}

export const loadUsers = (asked: Asked, signal: AbortSignal, max?: number): Promise<User[]> =>
  allPages(async (pageToken) => {
    const data = { ...asked, pageToken };
    const reply = await load<{ users: User[]; nextPageToken: string | null }>("v2/users/get", data, signal);
    return { items: reply.users, nextPageToken: reply.nextPageToken };
  }, max);

export const useUsers = (organizationId: string | undefined) =>
  useLive(
    organizationId === undefined ? undefined : ["all users", organizationId],
    (signal) => loadUsers({ organizationId }, signal, usersMax),
    seldomMs,
  );

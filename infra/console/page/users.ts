// The users of an organization, for choices and names.
import { load } from "./api.ts";
import { seldomMs, useLive } from "./live.ts";
import { allPages } from "./paging.ts";
import type { User } from "./types.ts";

/** The first users are enough for a choice. */
export const usersMax = 200;

export function useUsers(organizationId: string | undefined) {
  return useLive(
    organizationId === undefined ? undefined : ["all users", organizationId],
    (signal) =>
      allPages(async (pageToken) => {
        const data = { organizationId, pageToken };
        const reply = await load<{ users: User[]; nextPageToken: string | null }>("v2/users/get", data, signal);
        return { items: reply.users, nextPageToken: reply.nextPageToken };
      }, usersMax),
    seldomMs,
  );
}

// The users of an organization, for choices and names.
import { call } from "./api.ts";
import { seldomMs, useLive } from "./live.ts";
import { allPages } from "./paged.ts";
import type { User } from "./types.ts";

/** The first users are enough for a choice. */
const usersMax = 200;

export function useUsers(organizationId: string | undefined) {
  return useLive(
    organizationId === undefined ? undefined : ["all users", organizationId],
    () =>
      allPages(async (pageToken) => {
        const data = { organizationId, pageToken };
        const reply = await call<{ users: User[]; nextPageToken: string | null }>("v2/users/get", data);
        return { items: reply.users, nextPageToken: reply.nextPageToken };
      }, usersMax),
    seldomMs,
  );
}

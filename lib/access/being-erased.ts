// A user who is being erased cannot be added or given access: the erasure would remove it again.
import { ApiError } from "../errors.ts";
import type { User } from "../store/user.ts";

/** Throws ABORTED if one of the users is being erased. The message has the id of the erasure's job. */
export function refuseBeingErased(users: Iterable<User | undefined>): void {
  for (const user of users) {
    if (user?.erasureJobId === undefined) continue;
    const message = `The user "${user.userId}" is being erased by job ${user.erasureJobId}. Try again when it is done.`;
    throw new ApiError("ABORTED", message);
  }
}

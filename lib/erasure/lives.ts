// Ends the access of users to an organization, and deletes the data that is stored under the users themselves. For each
// user whom the organization has known, a tombstone without personal data stays. It has the generation: earlier user
// tokens can still be valid, so a user who is added again must get a higher generation.
import { inParallel } from "../concurrency.ts";
import { emptyPartition } from "../deletion/purge.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { interest } from "../jobs/outbox.ts";
import * as User from "../store/access/user.ts";
import { userDescendants } from "../store/access/user-data.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { recordErasure } from "./append-to-log.ts";
import type { Context } from "./context.ts";
import { commitCounted, removeCounted } from "./counted.ts";

/** Users of one step, and the requests in flight for them. Each has at least eight partitions. */
const usersPerStep = 10;
const partitionsInFlight = 16;

/** Ends all access of these users in the organization. Sends an event for each user whom it knew. */
export async function endLives(context: Context, organizationId: string, userIds: readonly string[]) {
  const organization = { workspace: context.workspace, organizationId };
  let rest = userIds;
  await retryOnConflict("users", async () => {
    const users = (await User.getMany(organization, rest)).filter((each) => each !== undefined);
    const living = users.filter((user) => !User.isErased(user));
    // The log gets a record of the erasure, without the users. It is written first, so that it is there if this process
    // dies.
    if (living.some(User.isKnown) && (await interest()).isRecorded("user.delete"))
      await recordErasure(context, organizationId);
    const units = living.map((user) => ({
      item: { entity: User.userEntity.name },
      writes: User.erasureOf(organization, user),
      events: User.isKnown(user)
        ? [
            {
              ...organization,
              type: "user.delete" as const,
              data: { userId: user.userId },
              isUnrecorded: true as const,
            },
          ]
        : [],
    }));
    const written = await commitCounted(context, "removed", units);
    rest = living.filter((_, index) => !written[index]).map(({ userId }) => userId);
    return rest.length === 0 ? undefined : conflict;
  });
}

/**
 * Erases the data that is stored under the users of the organization, from the user with the index `from` on. Returns
 * the index at which the next run continues, when it stopped at `until` (ms since the epoch).
 */
export async function eraseLives(
  context: Context,
  organizationId: string,
  from: number,
  until: number,
): Promise<number | undefined> {
  const organization = { workspace: context.workspace, organizationId };
  for (let index = from; index < context.userIds.length; index += usersPerStep) {
    const userIds = context.userIds.slice(index, index + usersPerStep);
    await endLives(context, organizationId, userIds);
    const partitions = await partitionsOf(organization, userIds);
    const emptied = await inParallel(partitions, partitionsInFlight, (pk) =>
      emptyPartition(organization, pk, until, (items) => removeCounted(context, items)),
    );
    if (emptied.some(({ isDone }) => !isDone)) return index;
    if (index + usersPerStep < context.userIds.length && Date.now() > until) return index + usersPerStep;
  }
  return undefined;
}

async function partitionsOf(organization: OrganizationRef, userIds: readonly string[]): Promise<string[]> {
  const users = await User.getMany(organization, userIds);
  return userIds.flatMap((userId, index) => {
    const generation = User.generationOf(users[index]);
    return userDescendants({ ...organization, userId, generation }).partitions ?? [];
  });
}

// Revokes a user's grants, organization by organization. Safe to repeat.
import { inParallel } from "../concurrency.ts";
import type { ResourceName } from "../schema/access.ts";
import { byOrganization } from "./grants.ts";
import { removeGrants } from "./remove-grants.ts";

const organizationsInFlight = 4;

/** Returns the number of grants removed. */
export async function revokeAccess(
  workspace: string,
  userId: string,
  resources: readonly ResourceName[],
): Promise<number> {
  const groups = [...byOrganization(resources)];
  const counts = await inParallel(groups, organizationsInFlight, async ([organizationId, named]) => {
    const removals = named.map(({ type, id }) => ({ type, id, userId }));
    return (await removeGrants({ workspace, organizationId }, removals)).size;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

// Grants can be given to an id before a document has it; they are kept under a reservation's uid. A document that takes
// such an id by migration brings its own uid, so they follow to it: after the switch, since until then, and where the
// migration fails, they must not open the document.

import * as Table from "../dynamodb/table.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Grant from "../store/grant.ts";
import { keys } from "../store/keys.ts";

type GrantItem = Table.Item & Grant.StoredGrant;

/**
 * Moves grants from one uid to another's, from the sort key `after` on. Answers where to go on, if `until` (ms since the
 * epoch) came first. Safe to run twice.
 */
export async function followGrants(
  workspace: string,
  [from, to]: [string, string],
  after: string | undefined,
  until: number,
): Promise<string | undefined> {
  const range = { pk: keys.documentData(workspace, from), beginsWith: keys.documentGrant(workspace, from, "").sk };
  for await (const grants of Table.all<GrantItem>({ ...range, ...(after && { after }) })) {
    await movePage(workspace, to, grants);
    if (Date.now() > until) return grants.at(-1)?.sk;
  }
  return undefined;
}

async function movePage(workspace: string, to: string, grants: GrantItem[]): Promise<void> {
  const userIds = grants.map(({ userId }) => userId);
  const own = await Grant.listOn(workspace, "", { uid: to }, userIds);
  const units = grants.flatMap((grant, index) => {
    const isOwn = own[index] && Grant.holds(own[index]) && own[index].life >= grant.life;
    if (isOwn || !Grant.holds(grant)) return []; // It stays behind, for the purge.
    const { pk, sk } = grant;
    const put = { ...grant, ...keys.documentGrant(workspace, to, grant.userId) };
    // Both or neither, so that a grant that was taken away meanwhile, or changed, is not brought back.
    return [
      {
        writes: [
          { put, if: unchanged(own[index]) },
          { delete: { pk, sk }, if: unchanged(grant) },
        ],
      },
    ];
  });
  await commitEach(units);
}

function unchanged(grant: Grant.StoredGrant | undefined) {
  if (!grant) return "absent" as const;
  const { accessRole, life, expiresAt, access } = grant;
  return { accessRole, life, expiresAt, access };
}

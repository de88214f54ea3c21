// Grants can be given to an id before a document has it; they are kept under the reserved internal id. A document that
// takes such an id by migration keeps its own internal id, so the grants follow to it. They follow after the switch:
// until then, and when the migration fails, they must not open the document.
import * as Table from "../dynamodb/table.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Grant from "../store/grant.ts";
import type { DocumentDataRef } from "../store/refs.ts";

type GrantItem = Grant.StoredGrant & { sk: string };

/**
 * Moves grants from one internal id to another, from the sort key `after` on. Returns where to continue when `until`
 * (ms since the epoch) comes first. Safe to run twice.
 */
export async function followGrants(
  [from, to]: [DocumentDataRef, DocumentDataRef],
  after: string | undefined,
  until: number,
): Promise<string | undefined> {
  const range = { ...Grant.documentGrantEntity.range(from), ...(after && { after }) };
  for await (const grants of Table.all<GrantItem>(range)) {
    await movePage(from, to, grants);
    if (Date.now() > until) return grants.at(-1)?.sk;
  }
  return undefined;
}

async function movePage(from: DocumentDataRef, to: DocumentDataRef, grants: GrantItem[]): Promise<void> {
  const userIds = grants.map(({ userId }) => userId);
  const own = await Grant.listOnDocument(to, userIds);
  const units = grants.flatMap((grant, index) => {
    const { userId, generation } = grant;
    const isOwn = own[index] && Grant.isActive(own[index]) && own[index].generation >= generation;
    // The grant stays behind, for the purge.
    if (isOwn || !Grant.isActive(grant)) return [];
    // Both or neither: a grant that was removed or changed meanwhile must not come back.
    const put = { ...Grant.onDocument(to, grant), if: unchanged(own[index]) };
    const removal = Grant.documentGrantEntity.delete({ ...from, userId }, unchanged(grant));
    return [{ writes: [put, removal] }];
  });
  await commitEach(units);
}

function unchanged(grant: Grant.StoredGrant | undefined) {
  if (!grant) return "absent" as const;
  const { accessRole, generation, expiresAt, access } = grant;
  return { accessRole, generation, expiresAt, access };
}

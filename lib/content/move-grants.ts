// Grants can name an id before a document has it. They are stored under a reserved internal id. A document that gets
// such an id by migration keeps its own internal id, so the grants are moved there. They are moved after the switch:
// before it, and if the migration fails, they must not give access to the document.
import * as Table from "../dynamodb/table.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Grant from "../store/access/grant.ts";
import type { DocumentDataRef } from "../store/refs.ts";

/** Grants between two checks of the time. A page of 1 MB can have ten times as many. */
const pageGrants = 500;

type GrantItem = Grant.StoredGrant & { sk: string };

/**
 * Moves grants from one internal id to another, starting after the sort key `after`. Returns the next `after` if
 * `until` (ms since the epoch) comes first. Safe to repeat.
 */
export async function moveGrants(
  [from, to]: [DocumentDataRef, DocumentDataRef],
  after: string | undefined,
  until: number,
): Promise<string | undefined> {
  const range = { ...Grant.documentGrantEntity.range(from), limit: pageGrants, after };
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
    // The purge of the reserved id deletes an ended grant.
    if (!Grant.isActive(grant)) return [];
    const removal = Grant.documentGrantEntity.delete({ ...from, userId }, Grant.unchanged(grant));
    // The document's own grant counts. The other one is removed now: it must not follow after the own one has ended.
    if (own[index] && Grant.isActive(own[index]) && own[index].generation >= generation) return [{ writes: [removal] }];
    // One transaction: a grant that was removed or changed meanwhile must not come back.
    const put = Grant.onDocument(to, grant, Grant.unchanged(own[index]));
    return [{ writes: [put, removal] }];
  });
  await commitEach(units);
}

// Takes a user's access away, organization by organization. Safe to run twice.
import { inParallel } from "../concurrency.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import type { ResourceName } from "../schema/access.ts";
import * as Document from "../store/document.ts";
import { keys } from "../store/keys.ts";
import * as User from "../store/user.ts";
import { byOrganization } from "./grants.ts";

const organizationsInFlight = 4;

/** Answers how many grants there were. */
export async function takeAccess(
  workspace: string,
  userId: string,
  resources: readonly ResourceName[],
): Promise<number> {
  const groups = [...byOrganization(resources)];
  const counts = await inParallel(groups, organizationsInFlight, async ([organizationId, named]) => {
    const documentIds = named.filter(({ type }) => type === "document").map(({ id }) => id);
    const uids = await Document.knownUids(workspace, organizationId, documentIds);
    const units = named.flatMap((resource) => {
      const write = removalOf(organizationId, resource, uids);
      return write ? [{ resource, writes: [write] }] : [];
    });
    const outcome = await Table.commitEach(units, (done) => ({
      events: done.map(({ resource: { type, id } }) => ({
        type: "permission.update",
        workspace,
        organizationId,
        data: { userId, resource: { type, id } },
      })),
    }));
    return outcome.filter(Boolean).length;
  });
  return counts.reduce((sum, count) => sum + count, 0);

  function removalOf(organizationId: string, { type, id }: ResourceName, uids: Map<string, string>): Write | undefined {
    if (type === "organization") return User.withoutGrant(workspace, id, userId);
    if (type === "folder") return { delete: keys.folderGrant(workspace, organizationId, userId, id), if: "present" };
    const uid = uids.get(id);
    return uid === undefined ? undefined : { delete: keys.documentGrant(workspace, uid, userId), if: "present" };
  }
}

// The users with a grant on a folder. The grant itself is stored with its user (`grant.ts`), and both are written and
// deleted in one transaction. An entry can outlive its grant, but no grant its entry: whoever reads the list must read
// the grants, and who deletes the list deletes the grants first.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import { type FolderDataRef, organizationPartition } from "../refs.ts";

interface Grantee {
  userId: string;
  /** That of the grant. */
  ttl?: number | undefined;
}

export const folderGranteeEntity = entity<Grantee>()({
  name: "folder-grantee",
  attributes: { userId: true, ttl: true },
  pk: ({ folderUid, ...ref }: FolderDataRef) => `${organizationPartition(ref)}#FG#${folderUid}`,
  sk: ({ userId }: { userId: string }) => segment(userId),
});

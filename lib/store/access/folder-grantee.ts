// The users with a grant on a folder. The grant itself is stored with its user (`grant.ts`), and both are written and
// deleted in one transaction. An entry can stay after its grant is deleted. A grant never stays without its entry. So
// code that reads the list must read the grants, and code that deletes the list deletes the grants first.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import { type FolderDataRef, organizationPartition } from "../refs.ts";

interface Grantee {
  userId: string;
  /** The generation of the grant. */
  ttl?: number | undefined;
}

export const folderGranteeEntity = entity<Grantee>()({
  name: "folder-grantee",
  attributes: { userId: true, ttl: true },
  pk: ({ folderUid, ...ref }: FolderDataRef) => `${organizationPartition(ref)}#FG#${folderUid}`,
  sk: ({ userId }: { userId: string }) => segment(userId),
});

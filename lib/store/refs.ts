// References to a workspace, organization, user, document or location, as objects, so that two strings cannot be
// swapped. Also the partition keys that several entities share.
import { randomUUID } from "node:crypto";
import { type Key, segment } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";

export interface WorkspaceRef {
  /** The API key. */
  workspace: string;
  /** A caller has it, so a caller is no ref: what takes one can write it whole. */
  rights?: never;
}

export interface OrganizationRef extends WorkspaceRef {
  organizationId: string;
}

export interface UserRef extends OrganizationRef {
  userId: string;
}

/**
 * One life of a user in an organization. A user who is deleted and added again has the next generation, without the
 * data of the earlier one.
 */
export interface UserLifeRef extends UserRef {
  generation: number;
}

export interface DocumentRef extends OrganizationRef {
  documentId: string;
}

/**
 * The internal id of a document. The id that a client gives only points to it. A document that is deleted and added
 * again has a new internal id, so neither old data nor old grants come back.
 */
export type DocumentUid = string & { readonly brand: "DocumentUid" };
/** The internal id of a location. The location's identity points to it. */
export type LocationUid = string & { readonly brand: "LocationUid" };

/**
 * The internal id of a folder, as a key segment. A folder that is deleted and added again has a new internal id, so
 * neither the content nor the grants of the deleted one come back.
 */
export type FolderUid = string & { readonly brand: "FolderUid" };

/** The internal id of the first folder of this id. It is derived, so a grant can come before its folder. */
export const firstFolderUid = (folderId: string) => segment(folderId) as FolderUid;
/** The internal id of a later folder with the same id. No escaped id begins with "%F". */
export const nextFolderUid = () => `%F${randomUUID()}` as FolderUid;
/** Stands for the internal id of a missing folder or document. None has it: no escaped id begins with "%N". */
export const unusedUid = (id: string) => `%N${segment(id)}`;
export const newDocumentUid = () => randomUUID() as DocumentUid;
export const newLocationUid = () => randomUUID() as LocationUid;

/** The data of one document. */
export interface DocumentDataRef extends WorkspaceRef {
  documentUid: DocumentUid;
}

/** The content and the grants of one folder. */
export interface FolderDataRef extends OrganizationRef {
  folderUid: FolderUid;
}

/** The data of one location of a document. */
export interface LocationDataRef extends DocumentDataRef {
  locationUid: LocationUid;
}

export const workspacePartition = ({ workspace }: WorkspaceRef) => `W#${segment(workspace)}`;

export const organizationPartition = ({ workspace, organizationId }: OrganizationRef) =>
  `${workspacePartition({ workspace })}#O#${segment(organizationId)}`;

/** The last segments of a partition of one life of a user. The first life has generation 0, and no segment for it. */
export const userLifeSegments = ({ userId, generation }: Pick<UserRef, "userId"> & { generation?: number }) =>
  generation ? `${segment(userId)}#${generation}` : segment(userId);

/** The partition of all data of a document, except the data of its locations and its lists of recipients. */
export const documentDataPartition = ({ workspace, documentUid }: DocumentDataRef) =>
  `${workspacePartition({ workspace })}#X#${documentUid}`;

/** Whether a partition belongs to the workspace. */
export function isWithin(workspace: string, pk: string): boolean {
  const own = workspacePartition({ workspace });
  return pk === own || pk.startsWith(`${own}#`);
}

/** The items that a purge must delete before an item, so that nothing is orphaned. */
export interface Descendants {
  /** Partitions to empty, with the descendants of their items. */
  partitions?: string[];
  /** Keys of single items. */
  items?: Key[];
  /** Deletions with a condition: another item can use the key by now. */
  conditional?: Write[];
}

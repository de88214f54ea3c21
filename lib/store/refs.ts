// What names a thing of the service, as one value, so that no two strings can be swapped; and the partition keys that
// several entities share.
import { randomUUID } from "node:crypto";
import { segment } from "../dynamodb/key.ts";

export interface WorkspaceRef {
  /** The API key. */
  workspace: string;
}

export interface OrganizationRef extends WorkspaceRef {
  organizationId: string;
}

export interface UserRef extends OrganizationRef {
  userId: string;
}

export interface DocumentRef extends OrganizationRef {
  documentId: string;
}

/**
 * The internal id of one life of a document: the id that a client gave is only a name that points to it. A document
 * deleted and added again has a new one, so neither old data nor old grants come back.
 */
export type DocumentUid = string & { readonly brand: "DocumentUid" };
/** The internal id of a location's data, in the same way. */
export type LocationUid = string & { readonly brand: "LocationUid" };

export const newDocumentUid = () => randomUUID() as DocumentUid;
export const newLocationUid = () => randomUUID() as LocationUid;

/** The data of one document. */
export interface DocumentDataRef extends WorkspaceRef {
  documentUid: DocumentUid;
}

/** The data of one location of a document. */
export interface LocationDataRef extends DocumentDataRef {
  locationUid: LocationUid;
}

export const workspacePartition = ({ workspace }: WorkspaceRef) => `W#${segment(workspace)}`;

export const organizationPartition = ({ workspace, organizationId }: OrganizationRef) =>
  `${workspacePartition({ workspace })}#O#${segment(organizationId)}`;

/** All that belongs to a document, but for the data of its locations. */
export const documentDataPartition = ({ workspace, documentUid }: DocumentDataRef) =>
  `${workspacePartition({ workspace })}#X#${documentUid}`;

/** Whether a partition is the workspace's own. */
export function isWithin(workspace: string, pk: string): boolean {
  const own = workspacePartition({ workspace });
  return pk === own || pk.startsWith(`${own}#`);
}

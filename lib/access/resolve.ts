// Resolves who has access to what (DECISIONS.md#access-resolution). It takes two rounds of reads for any number of
// users and resources: first the users, folders and documents, then every grant that could decide.

import * as Table from "../dynamodb/table.ts";
import type { AccessRole, AccessType } from "../schema/primitives.ts";
import * as Document from "../store/document.ts";
import * as Folder from "../store/folder.ts";
import { documentGrantEntity, folderGrantEntity, isActive, type StoredGrant } from "../store/grant.ts";
import * as Organization from "../store/organization.ts";
import type { DocumentUid } from "../store/refs.ts";
import * as User from "../store/user.ts";

export interface Question {
  workspace: string;
  organizationId: string;
  userIds: string[];
  folderIds: string[];
  documentIds: string[];
}

/** What access to an existing folder or document depends on. */
export interface Resource {
  type: "folder" | "document";
  id: string;
  accessType: AccessType;
  /** Folders whose grants count, nearest first. */
  folders: string[];
  documentUid?: DocumentUid;
}

export interface Subjects {
  hasOrganization: boolean;
  users: Map<string, User.User | undefined>;
  /** Undefined: the resource does not exist. */
  folders: Map<string, Resource | undefined>;
  documents: Map<string, Resource | undefined>;
}

export interface Decision {
  accessType: AccessType;
  /** Absent: denied. */
  accessRole?: AccessRole;
  expiresAt?: number;
  /** Denied because the permission provider gave no usable answer. The reply has a different error code. */
  isUndecided?: true;
  /** Feature-level access of the active grants on this resource and its folders. */
  access?: [string, string][];
}

/** First round: the users and resources of the question. */
export async function loadSubjects(question: Question, defaultAccessType: Promise<AccessType>): Promise<Subjects> {
  const { userIds, folderIds, documentIds } = question;
  const [hasOrganization, users, folders, documents, fallback] = await Promise.all([
    Organization.exists(question),
    User.getMany(question, userIds),
    Folder.getMany(question, folderIds),
    Document.getMany(question, documentIds),
    defaultAccessType,
  ]);
  const folderOf = (folder: Folder.Folder): Resource => ({
    type: "folder",
    id: folder.folderId,
    accessType: folder.effectiveAccessType ?? fallback,
    folders: [folder.folderId, ...folder.ancestors],
  });
  const documentOf = (document: Document.Document): Resource => ({
    type: "document",
    id: document.documentId,
    accessType: document.folderAccessType ?? document.accessType ?? fallback,
    folders: document.ancestors,
    documentUid: document.documentUid,
  });
  return {
    hasOrganization,
    users: new Map(userIds.map((id, index) => [id, users[index]])),
    folders: new Map(folderIds.map((id, index) => [id, folders[index] && folderOf(folders[index])])),
    documents: new Map(documentIds.map((id, index) => [id, documents[index] && documentOf(documents[index])])),
  };
}

/** Second round: the grants. Returns a function that decides on one user's access to one resource. */
export async function loadGrants(question: Question, subjects: Subjects) {
  const { workspace, organizationId, userIds } = question;
  const resources = [...subjects.folders.values(), ...subjects.documents.values()].filter((each) => each !== undefined);
  const folderIds = [...new Set(resources.flatMap((each) => each.folders))];
  const documentUids = resources.flatMap(({ documentUid }) => documentUid ?? []);
  const wanted = userIds.flatMap((userId) => [
    ...folderIds.map((id) => ({
      name: grantName("F", userId, id),
      key: folderGrantEntity.key({ workspace, organizationId, userId, folderId: id }),
    })),
    ...documentUids.map((documentUid) => ({
      name: grantName("D", userId, documentUid),
      key: documentGrantEntity.key({ workspace, documentUid, userId }),
    })),
  ]);
  const found = await Table.getMany<StoredGrant>(wanted.map(({ key }) => key));
  const grants = new Map<string, StoredGrant>();
  for (const [index, grant] of found.entries()) {
    const user = grant && subjects.users.get(grant.userId);
    if (grant && grant.generation === User.generationOf(user) && isActive(grant))
      grants.set(wanted[index]?.name as string, grant);
  }
  return (userId: string, resource: Resource): Decision => {
    const own = resource.documentUid && grants.get(grantName("D", userId, resource.documentUid));
    const inherited = resource.folders.map((id) => grants.get(grantName("F", userId, id)));
    return decide(
      subjects.users.get(userId),
      resource.accessType,
      [own, ...inherited].filter((each) => each !== undefined),
    );
  };
}

/** `grants`: the active ones on the resource and its folders, the most specific first. */
export function decide(user: User.User | undefined, accessType: AccessType, grants: readonly StoredGrant[]): Decision {
  const access = grants.flatMap((grant) => grant.access ?? []);
  const base = { accessType, ...(access.length > 0 && { access }) };
  if (User.isMember(user) && user.isAdmin) return { ...base, accessRole: "editor", ...expiryOf(user) };
  const member = accessType === "restricted" || !User.isMember(user) ? undefined : user;
  const deciding = grants[0] ?? member;
  if (deciding) return { ...base, accessRole: deciding.accessRole, ...expiryOf(deciding) };
  return accessType === "public" ? { ...base, accessRole: "viewer" } : base;
}

const grantName = (...parts: string[]) => JSON.stringify(parts);

const expiryOf = ({ expiresAt }: { expiresAt?: number }) => (expiresAt === undefined ? {} : { expiresAt });

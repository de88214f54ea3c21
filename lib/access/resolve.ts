// Resolves who has access to what (DECISIONS.md#access-resolution). It takes two rounds of reads for any number of
// users and resources: first the users, folders and documents, then every grant that could decide.

import type { AccessRole, AccessType } from "../schema/primitives.ts";
import * as Document from "../store/document.ts";
import * as Folder from "../store/folder.ts";
import type { StoredGrant } from "../store/grant.ts";
import * as Organization from "../store/organization.ts";
import type { DocumentUid } from "../store/refs.ts";
import * as User from "../store/user.ts";
import { readGrants } from "./read-grants.ts";

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
  const found = await readGrants({ workspace, organizationId, userIds, folderIds, documentUids });
  return (userId: string, resource: Resource): Decision => {
    const own = resource.documentUid && found.onDocument(userId, resource.documentUid);
    const inherited = resource.folders.map((id) => found.onFolder(userId, id));
    const user = subjects.users.get(userId);
    const inForce = [own, ...inherited].filter((grant) => User.holds(user, grant));
    return decide(user, resource.accessType, inForce);
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

const expiryOf = ({ expiresAt }: { expiresAt?: number }) => (expiresAt === undefined ? {} : { expiresAt });

// Who may do what (decisions A2 to A4). Two rounds of reads, however many users and resources: first the users, folders
// and documents asked for, then every grant that could decide.

import * as Table from "../dynamodb/table.ts";
import type { AccessRole, AccessType } from "../schema/primitives.ts";
import * as Document from "../store/document.ts";
import * as Folder from "../store/folder.ts";
import { holds, type StoredGrant } from "../store/grant.ts";
import { keys } from "../store/keys.ts";
import * as Organization from "../store/organization.ts";
import * as User from "../store/user.ts";

export interface Question {
  workspace: string;
  organizationId: string;
  userIds: string[];
  folderIds: string[];
  documentIds: string[];
}

/** A folder or document that exists, as far as access goes. */
export interface Resource {
  type: "folder" | "document";
  id: string;
  accessType: AccessType;
  /** Folders whose grants count, nearest first. */
  folders: string[];
  uid?: string;
}

export interface Subjects {
  hasOrganization: boolean;
  users: Map<string, User.User | undefined>;
  /** Undefined: there is no such resource. */
  folders: Map<string, Resource | undefined>;
  documents: Map<string, Resource | undefined>;
}

export interface Decision {
  accessType: AccessType;
  /** Absent: denied. */
  accessRole?: AccessRole;
  expiresAt?: number;
  /** The permission provider gave no usable answer: denied, under another name. */
  isUndecided?: true;
  /** Of the grants on this resource that hold. */
  access?: [string, string][];
}

/** First round: what is asked about. */
export async function loadSubjects(question: Question, defaultAccessType: Promise<AccessType>): Promise<Subjects> {
  const { workspace, organizationId, userIds, folderIds, documentIds } = question;
  const [hasOrganization, users, folders, documents, fallback] = await Promise.all([
    Organization.exists(workspace, organizationId),
    User.getMany(workspace, organizationId, userIds),
    Folder.getMany(workspace, organizationId, folderIds),
    Document.getMany(workspace, organizationId, documentIds),
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
    uid: document.uid,
  });
  return {
    hasOrganization,
    users: new Map(userIds.map((id, index) => [id, users[index]])),
    folders: new Map(folderIds.map((id, index) => [id, folders[index] && folderOf(folders[index])])),
    documents: new Map(documentIds.map((id, index) => [id, documents[index] && documentOf(documents[index])])),
  };
}

/** Second round: the grants; answers how each user stands to each resource. */
export async function loadGrants(question: Question, subjects: Subjects) {
  const { workspace, organizationId, userIds } = question;
  const resources = [...subjects.folders.values(), ...subjects.documents.values()].filter((each) => each !== undefined);
  const folderIds = [...new Set(resources.flatMap((each) => each.folders))];
  const uids = resources.flatMap((each) => (each.uid === undefined ? [] : [each.uid]));
  const wanted = userIds.flatMap((userId) => [
    ...folderIds.map((id) => ({
      name: nameOf("F", userId, id),
      key: keys.folderGrant(workspace, organizationId, userId, id),
    })),
    ...uids.map((uid) => ({ name: nameOf("D", userId, uid), key: keys.documentGrant(workspace, uid, userId) })),
  ]);
  const found = await Table.getMany<StoredGrant>(wanted.map(({ key }) => key));
  const grants = new Map<string, StoredGrant>();
  for (const [index, grant] of found.entries()) {
    const user = grant && subjects.users.get(grant.userId);
    if (grant && grant.life === User.lifeOf(user) && holds(grant)) grants.set(wanted[index]?.name as string, grant);
  }
  return (userId: string, resource: Resource): Decision => {
    const own = resource.uid === undefined ? undefined : grants.get(nameOf("D", userId, resource.uid));
    const inherited = resource.folders.map((id) => grants.get(nameOf("F", userId, id)));
    return decide(
      subjects.users.get(userId),
      resource.accessType,
      [own, ...inherited].filter((each) => each !== undefined),
    );
  };
}

/** `grants` hold, and stand most specific first. */
export function decide(user: User.User | undefined, accessType: AccessType, grants: readonly StoredGrant[]): Decision {
  const access = grants.flatMap((grant) => grant.access ?? []);
  const base = { accessType, ...(access.length > 0 && { access }) };
  if (User.isMember(user) && user.isAdmin) return { ...base, accessRole: "editor", ...endOf(user) };
  const member = accessType === "restricted" || !User.isMember(user) ? undefined : user;
  const deciding = grants[0] ?? member;
  if (deciding) return { ...base, accessRole: deciding.accessRole, ...endOf(deciding) };
  return accessType === "public" ? { ...base, accessRole: "viewer" } : base;
}

const nameOf = (...parts: string[]) => JSON.stringify(parts);

const endOf = ({ expiresAt }: { expiresAt?: number }) => (expiresAt === undefined ? {} : { expiresAt });

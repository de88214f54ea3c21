// Decides which user has access to which resource (DECISIONS.md#access-resolution). It needs two rounds of reads for
// any number of users and resources: first the users, folders and documents, then every folder and grant that could
// decide.
import type { AccessRole, AccessType } from "../schema/primitives.ts";
import type { StoredGrant } from "../store/access/grant.ts";
import * as User from "../store/access/user.ts";
import { type Ancestor, ancestorsOf } from "../store/content/ancestors.ts";
import * as Document from "../store/content/document.ts";
import * as Folder from "../store/content/folder.ts";
import * as Organization from "../store/content/organization.ts";
import { type DocumentUid, type FolderUid, unusedUid } from "../store/refs.ts";
import { loadAccessTypes, type Placed } from "./access-types.ts";
import type { readGrants } from "./read-grants.ts";

export interface Question {
  workspace: string;
  organizationId: string;
  userIds: string[];
  folderIds: string[];
  documentIds: string[];
}

/** The data on which access to an existing folder or document depends. The grants on its folders count too. */
export interface Resource extends Placed {
  type: "folder" | "document";
  id: string;
  documentUid?: DocumentUid;
}

export interface Subjects {
  hasOrganization: boolean;
  /** When the organization was added, ISO 8601. */
  since?: string | undefined;
  users: Map<string, User.User | undefined>;
  /** Undefined: the resource does not exist. */
  folders: Map<string, Resource | undefined>;
  documents: Map<string, Resource | undefined>;
  /** The folders of the question that exist. */
  known: ReadonlyMap<FolderUid, Folder.Folder>;
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
  because: Because;
}

/**
 * What has decided: the grant on this document, folder or organization, the role of an admin of this organization, the
 * access type of this resource, the permission provider, or nothing.
 */
interface Because {
  level: "document" | "folder" | "organization" | "accessType" | "admin" | "provider" | "none";
  id: string;
}

/** First round: the users and resources of the question. */
export async function loadSubjects(question: Question): Promise<Subjects> {
  const { userIds, folderIds, documentIds } = question;
  const [[organization], users, folders, documents] = await Promise.all([
    Organization.getMany(question, [question.organizationId]),
    User.getMany(question, userIds),
    Folder.getMany(question, folderIds),
    Document.getMany(question, documentIds),
  ]);
  const folderOf = (folder: Folder.Folder): Resource => ({
    type: "folder",
    id: folder.folderId,
    folders: Folder.pathOf(folder),
  });
  const documentOf = ({ documentId, documentUid, accessType, ...document }: Document.Document): Resource => ({
    type: "document",
    id: documentId,
    documentUid,
    accessType,
    folders: ancestorsOf(document),
  });
  const existing = folders.filter((each) => each !== undefined);
  return {
    hasOrganization: organization !== undefined,
    since: organization?.createdAt,
    users: new Map(userIds.map((id, index) => [id, users[index]])),
    folders: new Map(folderIds.map((id, index) => [id, folders[index] && folderOf(folders[index])])),
    documents: new Map(documentIds.map((id, index) => [id, documents[index] && documentOf(documents[index])])),
    known: new Map(existing.map((folder) => [Folder.uidOf(folder.folderId, folder), folder])),
  };
}

/**
 * The subjects of a user's question, as if all existed. So a missing resource causes the same reads, and the same
 * questions to the provider, as a forbidden one.
 */
export function asIfAllExisted({ folders, documents, known, ...subjects }: Subjects): Subjects {
  const missing = [...folders].flatMap(([folderId, folder]) =>
    folder ? [] : [{ folderId, folderUid: unusedUid(folderId) as FolderUid }],
  );
  const inPlaceOf = (folder: Ancestor): Resource => ({ type: "folder", id: folder.folderId, folders: [folder] });
  const nothing = { ancestors: [], createdAt: "" };
  return {
    ...subjects,
    hasOrganization: true,
    folders: new Map([...folders, ...missing.map((each) => [each.folderId, inPlaceOf(each)] as const)]),
    documents: new Map(
      [...documents].map(([id, document]) => [
        id,
        document ?? { type: "document", id, documentUid: unusedUid(id) as DocumentUid, folders: [] },
      ]),
    ),
    known: new Map<FolderUid, Folder.Folder>([
      ...known,
      ...missing.map((each) => [each.folderUid, { ...each, ...nothing }] as const),
    ]),
  };
}

/** The folders and documents of the question that exist. */
export const resourcesOf = ({ folders, documents }: Subjects): Resource[] =>
  [...folders.values(), ...documents.values()].filter((each) => each !== undefined);

/**
 * Second round: the folders above, and the grants, which `read` reads. Returns a function that decides on one user's
 * access to one resource.
 */
export async function loadGrants(
  question: Question,
  subjects: Subjects,
  defaultAccessType: AccessType,
  read: typeof readGrants,
) {
  const { workspace, organizationId, userIds } = question;
  const resources = resourcesOf(subjects);
  const folderUids = [...new Set(resources.flatMap((each) => each.folders.map(({ folderUid }) => folderUid)))];
  const documentUids = resources.flatMap(({ documentUid }) => documentUid ?? []);
  const [accessTypeOf, found] = await Promise.all([
    loadAccessTypes(question, resources, subjects.known, defaultAccessType),
    read({ workspace, organizationId, userIds, folderUids, documentUids }),
  ]);
  return (userId: string, resource: Resource): Decision => {
    const own = resource.documentUid && found.onDocument(userId, resource.documentUid);
    const inherited = resource.folders.map((folder) => ({ folder, grant: found.onFolder(userId, folder.folderUid) }));
    const user = subjects.users.get(userId);
    const inForce = [own, ...inherited.map(({ grant }) => grant)].filter((grant) => User.holds(user, grant));
    const { decidedBy, ...decision } = decide(user, accessTypeOf(resource), inForce);
    const folder = inherited.find(({ grant }) => grant !== undefined && grant === decidedBy)?.folder;
    return { ...decision, because: becauseOf(decidedBy, organizationId, folder?.folderId ?? resource.id, folder) };
  };
}

function becauseOf(decidedBy: DecidedBy, organizationId: string, id: string, folder: object | undefined): Because {
  if (decidedBy === "admin" || decidedBy === "organization") return { level: decidedBy, id: organizationId };
  if (typeof decidedBy === "string") return { level: decidedBy, id };
  return { level: folder ? "folder" : "document", id };
}

/** A grant on the resource or on one of its folders, or what decides without such a grant. */
type DecidedBy = StoredGrant | "admin" | "organization" | "accessType" | "none";

/** `grants`: the active grants on the resource and its folders, the most specific first. */
export function decide(
  user: User.User | undefined,
  accessType: AccessType,
  grants: readonly StoredGrant[],
): Omit<Decision, "because"> & { decidedBy: DecidedBy } {
  const access = grants.flatMap((grant) => grant.access ?? []);
  const base = { accessType, ...(access.length > 0 && { access }) };
  if (User.isMember(user) && user.isAdmin) {
    return { ...base, decidedBy: "admin", accessRole: "editor", ...expiryOf(user) };
  }
  if (grants[0]) return { ...base, decidedBy: grants[0], accessRole: grants[0].accessRole, ...expiryOf(grants[0]) };
  if (accessType !== "restricted" && User.isMember(user)) {
    return { ...base, decidedBy: "organization", accessRole: user.accessRole, ...expiryOf(user) };
  }
  if (accessType === "public") return { ...base, decidedBy: "accessType", accessRole: "viewer" };
  return { ...base, decidedBy: "none" };
}

const expiryOf = ({ expiresAt }: { expiresAt?: number }) => (expiresAt === undefined ? {} : { expiresAt });

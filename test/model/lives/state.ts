// The model of one organization, as plain data: a copy of it can take the same steps in another order.
import { isDeepStrictEqual } from "node:util";

export type Role = "viewer" | "editor";
export type AccessType = "organizationPrivate" | "restricted" | "public";

export interface Folder {
  folderName?: string;
  accessType?: AccessType;
  parentFolderId?: string;
  /** Being deleted. `whole`: with what is in it. */
  going?: "empty" | "whole";
}

export interface Comment {
  commentId: string;
  from: string;
  text: string;
}

export interface Annotation {
  location: string;
  from: string;
  assignedTo?: string;
  status?: string;
  /** The second of its creation, as it was given, and as it was first given. */
  second: number;
  position: number;
  comments: Comment[];
}

export interface Document {
  /** Of this life of its id. */
  uid: number;
  documentName?: string;
  accessType?: AccessType;
  folderId?: string;
  annotations: Map<string, Annotation>;
  /** By editor: the keys of its map. */
  editors: Map<string, Set<string>>;
}

export interface User {
  hasProfile?: true;
  wasGranted?: true;
  role?: Role;
}

/** By user. */
export type Grants = Map<string, Role>;

export interface State {
  count: number;
  /** Undefined: there is none. `going`: it is being deleted. */
  organization?: { name?: string; going?: true };
  folders: Map<string, Folder>;
  documents: Map<string, Document>;
  /** By id, also of a folder or document that does not exist yet. */
  grants: { folder: Map<string, Grants>; document: Map<string, Grants> };
  users: Map<string, User>;
  groups: Map<string, { name?: string; members: Set<string> }>;
  migrations: { uid: number; from: string; to: string }[];
}

export function newState(): State {
  return {
    count: 0,
    folders: new Map(),
    documents: new Map(),
    grants: { folder: new Map(), document: new Map() },
    users: new Map(),
    groups: new Map(),
    migrations: [],
  };
}

/** Whether the organization exists for its callers. */
export const isThere = ({ organization }: State): boolean => organization !== undefined && !organization.going;

/** The folder and those above it, nearest first. */
export function pathOf({ folders }: State, folderId: string | undefined): string[] {
  const path: string[] = [];
  for (let id = folderId; id !== undefined; id = folders.get(id)?.parentFolderId) path.push(id);
  return path;
}

export const isGoing = (state: State, folderId: string | undefined): boolean =>
  pathOf(state, folderId).some((id) => state.folders.get(id)?.going);

export const isFull = ({ folders, documents }: State, folderId: string): boolean =>
  [...folders.values()].some((each) => each.parentFolderId === folderId) ||
  [...documents.values()].some((each) => each.folderId === folderId);

/** Replaces fields by those that are given. Null removes one. */
export function setFields(target: object, fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    Object.assign(target, { [name]: value });
    if (value === null) delete (target as Record<string, unknown>)[name];
  }
}

export function deleteDocument(state: State, documentId: string): void {
  state.documents.delete(documentId);
  state.grants.document.delete(documentId);
}

/** What the workers do, when all calls have ended. */
export function drain(state: State): void {
  for (const migration of state.migrations.splice(0)) migrate(state, migration);
  deleteMarked(state);
}

/** The states that the workers can leave if they die: what they do then has any order. */
export function drained(state: State): State[] {
  const isOver = state.migrations.length === 0;
  const next = state.migrations.map((_, index) => {
    const after = structuredClone(state);
    for (const migration of after.migrations.splice(index, 1)) migrate(after, migration);
    return after;
  });
  const marked = structuredClone(state);
  deleteMarked(marked);
  if (isOver) return [marked];
  return [...next, ...(isDeepStrictEqual(marked, state) ? [] : [marked])].flatMap(drained);
}

function deleteMarked(state: State): void {
  for (const [id, { going }] of [...state.folders]) {
    const folder = state.folders.get(id);
    if (!folder || !going) continue;
    if (going === "empty" && isFull(state, id)) delete folder.going;
    else deleteFolder(state, id);
  }
  if (state.organization?.going) Object.assign(state, newState(), { organization: undefined });
}

function migrate(state: State, { uid, from, to }: State["migrations"][number]): void {
  const document = state.documents.get(from);
  if (document?.uid !== uid || state.documents.has(to) || isGoing(state, document.folderId)) return;
  const waiting = state.grants.document.get(to) ?? [];
  const own = state.grants.document.get(from) ?? [];
  deleteDocument(state, from);
  state.documents.set(to, document);
  state.grants.document.set(to, new Map([...waiting, ...own]));
}

function deleteFolder(state: State, folderId: string): void {
  for (const [id, each] of [...state.documents]) if (each.folderId === folderId) deleteDocument(state, id);
  for (const [id, each] of [...state.folders]) if (each.parentFolderId === folderId) deleteFolder(state, id);
  state.folders.delete(folderId);
  state.grants.folder.delete(folderId);
}

export interface Decision {
  accessType: AccessType;
  accessRole?: Role;
  because: { level: string; id: string; accessRole?: Role };
}

export function decide(state: State, userId: string, type: "folder" | "document", id: string): Decision {
  const document = type === "document" ? state.documents.get(id) : undefined;
  const path = pathOf(state, type === "folder" ? id : document?.folderId);
  const ofFolders = path.map((each) => state.folders.get(each)?.accessType).find((each) => each !== undefined);
  const accessType = ofFolders ?? document?.accessType ?? "organizationPrivate";
  const decided = (level: string, by: string, accessRole?: Role) => {
    const role = accessRole && { accessRole };
    return { accessType, ...role, because: { level, id: by, ...role } };
  };
  const own = type === "document" ? state.grants.document.get(id)?.get(userId) : undefined;
  if (own) return decided("document", id, own);
  const nearest = path.find((each) => state.grants.folder.get(each)?.has(userId));
  if (nearest) return decided("folder", nearest, state.grants.folder.get(nearest)?.get(userId));
  const { role } = state.users.get(userId) ?? {};
  if (role && accessType !== "restricted") return decided("organization", "o", role);
  return accessType === "public" ? decided("accessType", id, "viewer") : decided("none", id);
}

// What the service's reads show, and what the model shows.

import { documentsDataGet } from "../../../functions/comments/documents-data-get.ts";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { crdtGet } from "../../../functions/editor-content/crdt-get.ts";
import { crdtList } from "../../../functions/editor-content/crdt-list.ts";
import { foldersGet } from "../../../functions/folders/folders-get.ts";
import { organizationsGet } from "../../../functions/organizations/organizations-get.ts";
import { permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { usersDataGet } from "../../../functions/personal-data/users-data-get.ts";
import { usergroupsGet } from "../../../functions/user-groups/usergroups-get.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { timeOf } from "./collaboration.ts";
import { documentIds, folderIds, userIds } from "./kind.ts";
import { type Annotation, decide, isThere, type State } from "./state.ts";

/** Calls an endpoint that reads. Returns `result.data`, or the status of the failure. */
// biome-ignore lint/suspicious/noExplicitAny: replies differ
export type Read = (endpoint: Pick<Endpoint, "name">, data: object) => Promise<any>;

type Named = Record<string, unknown>;

const byId = (items: readonly Named[], field: string) =>
  items.map((item) => JSON.parse(JSON.stringify(item))).sort((one, other) => (one[field] < other[field] ? -1 : 1));

const pick = (item: Named, ...names: string[]) =>
  Object.fromEntries(names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]));

const isGoing = ({ deletionJobId, ...folder }: Named) => ({
  ...pick(folder, "folderId", "folderName", "accessType", "parentFolderId"),
  isGoing: deletionJobId !== undefined,
});
const shownDocument = (item: Named) => pick(item, "documentId", "documentName", "accessType", "folderId");
const shownUser = (item: Named) => pick(item, "userId", "accessRole");

/** All that can be read. Ids of what exists come from the lists. */
export async function read(get: Read): Promise<object> {
  const { organizations } = await get(organizationsGet, {});
  const [folders, documents, users, groups] = await Promise.all([
    get(foldersGet, {}),
    get(documentsGet, {}),
    get(usersGet, {}),
    get(usergroupsGet, {}),
  ]);
  const names = organizations.map(({ organizationName }: Named) => organizationName ?? null);
  if (typeof folders === "string") return { names, statuses: [folders, documents, users, groups] };
  const folderList = byId(folders.folders.map(isGoing), "folderId");
  const documentList = byId(documents.documents.map(shownDocument), "documentId");
  const idsOf = (list: Named[], field: string) => list.map((each) => each[field] as string);
  const [existing, inFolders] = [idsOf(documentList, "documentId"), idsOf(folderList, "folderId")];
  return {
    names,
    folders: folderList,
    documents: documentList,
    users: byId(users.users.map(shownUser), "userId"),
    within: await each(folderIds, (id) => childrenOf(get, id)),
    granted: await each([...inFolders.map((id) => `folder ${id}`), ...existing.map((id) => `document ${id}`)], (on) =>
      usersOn(get, on),
    ),
    groups: await each(idsOf(groups.organizationUserGroups, "organizationUserGroupId").sort(), (id) => group(get, id)),
    permissions: await permissions(get, inFolders, existing),
    contents: await each(existing, (id) => contentOf(get, id)),
    exports: await each(userIds, (userId) => exportOf(get, userId)),
  };
}

async function each<T>(ids: readonly string[], of: (id: string) => Promise<T>): Promise<Record<string, T>> {
  return Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await of(id)] as const)));
}

async function childrenOf(get: Read, folderId: string) {
  const [documents, folders] = await Promise.all([
    get(documentsGet, { folderId }),
    get(foldersGet, { parentFolderId: folderId }),
  ]);
  if (typeof documents === "string") return documents;
  return [
    ...documents.documents.map((item: Named) => `document ${item.documentId}`),
    ...folders.folders.map((item: Named) => `folder ${item.folderId}`),
  ].sort();
}

async function usersOn(get: Read, on: string) {
  const [type, id] = on.split(" ");
  const { users } = await get(usersGet, { [`${type}Id`]: id });
  return byId(users.map(shownUser), "userId");
}

async function group(get: Read, id: string) {
  const data = { organizationUserGroupId: id, withMembers: true };
  const { organizationUserGroups, members } = await get(usergroupsGet, data);
  const name = organizationUserGroups[0].organizationUserGroupName ?? null;
  return { name, members: members.map(({ userId }: Named) => userId).sort() };
}

async function permissions(get: Read, folderIds: string[], documentIds: string[]) {
  const data = await get(permissionsGet, { userIds, folderIds, documentIds, explain: true });
  const entries = (of: Record<string, Named>) =>
    Object.fromEntries(
      Object.entries(of).map(([id, entry]) => [id, pick(entry, "accessType", "accessRole", "because")]),
    );
  return Object.fromEntries(
    userIds.map((id) => [id, { folders: entries(data[id].folders), documents: entries(data[id].documents) }]),
  );
}

async function contentOf(get: Read, documentId: string) {
  const list = (more: object) => get(documentsDataGet, { documentId, kind: "comments", ...more });
  const [newest, oldest, open, ofU, { editors }] = await Promise.all([
    list({}),
    list({ order: "oldest" }),
    list({ filters: { status: "OPEN" } }),
    list({ filters: { assignedTo: "u" }, order: "oldest" }),
    get(crdtList, { documentId }),
  ]);
  const idsOf = ({ items }: { items: Named[] }) => items.map(({ annotationId }) => annotationId);
  const texts = editors.map(async ({ editorId }: Named) => {
    const { data } = await get(crdtGet, { documentId, editorId });
    return [editorId, Object.keys(data).sort()];
  });
  return {
    newest: newest.items.map(shownAnnotation),
    oldest: idsOf(oldest),
    open: idsOf(open),
    ofU: idsOf(ofU),
    editors: Object.fromEntries(await Promise.all(texts)),
  };
}

interface Item extends Named {
  from: Named;
  assignedTo?: Named;
  location: Named;
  comments?: { commentId: string; text: string; from: Named }[];
}

const shownAnnotation = ({ annotationId, from, assignedTo, status, createdAt, location, comments = [] }: Item) => ({
  annotationId,
  from: from.userId,
  assignedTo: assignedTo?.userId ?? null,
  status: status ?? null,
  createdAt,
  location: location.id,
  comments: comments.map(({ commentId, text, from }) => `${commentId} ${from.userId} ${text}`).sort(),
});

async function exportOf(get: Read, userId: string) {
  const { comments } = await get(usersDataGet, { userId });
  return comments.map((item: Named) => `${item.documentId} ${item.annotationId}`).sort();
}

export function readModel(state: State): object {
  const names = state.organization && isThere(state) ? [state.organization.name ?? null] : [];
  if (!isThere(state)) return { names, statuses: Array(4).fill("INVALID_ARGUMENT") };
  const sorted = <T>(of: Map<string, T>) => [...of].sort(([one], [other]) => (one < other ? -1 : 1));
  const folders = sorted(state.folders);
  const documents = sorted(state.documents);
  const known = sorted(state.users).filter(([, { hasProfile }]) => hasProfile);
  const granted = (type: "folder" | "document", id: string) =>
    sorted(state.grants[type].get(id) ?? new Map()).map(([userId, accessRole]) => ({ userId, accessRole }));
  return {
    names,
    folders: folders.map(([folderId, { going, ...folder }]) => ({ folderId, ...folder, isGoing: going !== undefined })),
    documents: documents.map(([documentId, document]) => shownDocument({ documentId, ...document })),
    users: known.map(([userId, { role }]) => ({ userId, ...(role && { accessRole: role }) })),
    within: Object.fromEntries(folderIds.map((id) => [id, withinModel(state, id)])),
    granted: Object.fromEntries([
      ...folders.map(([id]) => [`folder ${id}`, granted("folder", id)]),
      ...documents.map(([id]) => [`document ${id}`, granted("document", id)]),
    ]),
    groups: Object.fromEntries(
      sorted(state.groups).map(([id, { name, members }]) => [id, { name: name ?? null, members: [...members].sort() }]),
    ),
    permissions: Object.fromEntries(
      userIds.map((userId) => [
        userId,
        {
          folders: Object.fromEntries(folders.map(([id]) => [id, decide(state, userId, "folder", id)])),
          documents: Object.fromEntries(documents.map(([id]) => [id, decide(state, userId, "document", id)])),
        },
      ]),
    ),
    contents: Object.fromEntries(documents.map(([id]) => [id, contentOfModel(state, id)])),
    exports: Object.fromEntries(userIds.map((userId) => [userId, exportOfModel(state, userId)])),
  };
}

function withinModel({ folders, documents }: State, folderId: string) {
  if (!folders.has(folderId)) return "NOT_FOUND";
  return [
    ...[...documents].filter(([, each]) => each.folderId === folderId).map(([id]) => `document ${id}`),
    ...[...folders].filter(([, each]) => each.parentFolderId === folderId).map(([id]) => `folder ${id}`),
  ].sort();
}

function contentOfModel({ documents }: State, documentId: string) {
  const { annotations, editors } = documents.get(documentId) as NonNullable<ReturnType<typeof documents.get>>;
  const place = ([id, { position }]: [string, Annotation]) => `${position} ${id}`;
  const oldest = [...annotations].sort((one, other) => (place(one) < place(other) ? -1 : 1));
  const idsOf = (list: [string, Annotation][]) => list.map(([id]) => id);
  return {
    newest: oldest.toReversed().map(([annotationId, each]) => ({
      annotationId,
      from: each.from,
      assignedTo: each.assignedTo ?? null,
      status: each.status ?? null,
      createdAt: timeOf(each.second),
      location: each.location,
      comments: each.comments.map(({ commentId, text, from }) => `${commentId} ${from} ${text}`).sort(),
    })),
    oldest: idsOf(oldest),
    open: idsOf(oldest.filter(([, { status }]) => status === "OPEN").reverse()),
    ofU: idsOf(oldest.filter(([, { assignedTo }]) => assignedTo === "u")),
    editors: Object.fromEntries([...editors].map(([id, keys]) => [id, [...keys].sort()])),
  };
}

const isPartOf = ({ from, assignedTo, comments }: Annotation, userId: string) =>
  [from, assignedTo, ...comments.map((each) => each.from)].includes(userId);

function exportOfModel({ documents }: State, userId: string) {
  const found = documentIds.flatMap((documentId) =>
    [...(documents.get(documentId)?.annotations ?? [])]
      .filter(([, annotation]) => isPartOf(annotation, userId))
      .map(([id]) => `${documentId} ${id}`),
  );
  return found.sort();
}

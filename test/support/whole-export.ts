// Reads everything of an organization through the endpoints that list it, and adds it to another workspace through the
// endpoints that add. Times of the server and notifications are left out.

import { documentsDataAdd } from "../../functions/comments/documents-data-add.ts";
import { documentsDataGet } from "../../functions/comments/documents-data-get.ts";
import { documentsAdd } from "../../functions/documents/documents-add.ts";
import { documentsGet } from "../../functions/documents/documents-get.ts";
import { crdtAdd } from "../../functions/editor-content/crdt-add.ts";
import { crdtGet } from "../../functions/editor-content/crdt-get.ts";
import { crdtList } from "../../functions/editor-content/crdt-list.ts";
import { foldersAdd } from "../../functions/folders/folders-add.ts";
import { foldersGet } from "../../functions/folders/folders-get.ts";
import { notificationsConfigGet } from "../../functions/notifications/notifications-config-get.ts";
import { notificationsConfigSet } from "../../functions/notifications/notifications-config-set.ts";
import { organizationsAdd } from "../../functions/organizations/organizations-add.ts";
import { organizationsGet } from "../../functions/organizations/organizations-get.ts";
import { permissionsGet } from "../../functions/permissions/permissions-get.ts";
import { presenceAdd } from "../../functions/presence/presence-add.ts";
import { presenceGet } from "../../functions/presence/presence-get.ts";
import { usergroupUsersAdd } from "../../functions/user-groups/usergroup-users-add.ts";
import { usergroupsAdd } from "../../functions/user-groups/usergroups-add.ts";
import { usergroupsGet } from "../../functions/user-groups/usergroups-get.ts";
import { usersAdd } from "../../functions/users/users-add.ts";
import { usersGet } from "../../functions/users/users-get.ts";
import { usersUpdate } from "../../functions/users/users-update.ts";
import { type Credentials, must } from "./call.ts";
import { allPages } from "./paging.ts";

// biome-ignore lint/suspicious/noExplicitAny: replies as they come
type Json = any;

const kinds = ["comments", "reactions", "recordings"] as const;
const ofServer = ["createdAt", "updatedAt", "expiresAt"];
const without = (item: Json, names: readonly string[]) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
const sorted = (items: Json[]) =>
  items.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

export type Export = Awaited<ReturnType<typeof exportAll>>;

export async function exportAll(as: Credentials, organizationId: string) {
  const pages = (endpoint: { name: string }, member: string, more: object = {}) =>
    allPages({ endpoint, member }, as, { organizationId, pageSize: 100, ...more }) as Promise<Json[]>;
  const { organizations } = await must(organizationsGet, { as, data: { organizationIds: [organizationId] } });
  const folders = (await pages(foldersGet, "folders")).map((each) => without(each, ["createdAt"]));
  const documents = (await pages(documentsGet, "documents")).map((each) => without(each, ["createdAt"]));
  const users = await pages(usersGet, "users");
  const userIds = users.map(({ userId }) => userId as string);
  const permissions = await must(permissionsGet, { as, data: { organizationId, userIds } });
  const groups = await pages(usergroupsGet, "organizationUserGroups");
  return {
    organization: without(organizations[0], ["createdAt"]),
    folders: sorted(folders),
    documents: sorted(documents),
    users: sorted(users.map((user) => ({ ...user, accessFields: permissions[user.userId].context?.accessFields }))),
    roles: sorted([
      ...(await eachOf(folders, ({ folderId }) => rolesOn({ folderId }))),
      ...(await eachOf(documents, ({ documentId }) => rolesOn({ documentId }))),
    ]),
    groups: sorted(
      await eachOf(groups, async (group) => {
        const { organizationUserGroupId } = group;
        const members = await pages(usergroupsGet, "members", { organizationUserGroupId, withMembers: true });
        return [{ ...group, members: sorted(members.map(({ userId }) => userId)) }];
      }),
    ),
    features: sorted(
      await eachOf(documents, async ({ documentId }) =>
        eachOf(kinds, async (kind) => {
          const items = await pages(documentsDataGet, "items", { documentId, kind });
          return items.map((item) => ({ ...item, kind }));
        }),
      ),
    ),
    editors: sorted(
      await eachOf(documents, async ({ documentId }) =>
        eachOf(await pages(crdtList, "editors", { documentId }), async ({ editorId }) => {
          const { type, contentKey, data } = await must(crdtGet, {
            as,
            data: { organizationId, documentId, editorId },
          });
          return [{ documentId, editorId, type, contentKey, data }];
        }),
      ),
    ),
    presence: sorted(
      await eachOf(documents, async ({ documentId }) => {
        const present = await pages(presenceGet, "users", { documentId });
        return present.map((user) => ({ documentId, ...without(user, ofServer) }));
      }),
    ),
    preferences: sorted(
      await eachOf(userIds, async (userId) => {
        const documentIds = documents.map(({ documentId }) => documentId as string).slice(0, 30);
        const data = { organizationId, userId, documentIds, getOrganizationConfig: true };
        const found: Json[] = await must(notificationsConfigGet, { as, data });
        return found.map(({ config, metadata }) => ({ config, userId, documentId: metadata.documentId }));
      }),
    ),
  };

  async function rolesOn(resource: { folderId?: unknown; documentId?: unknown }) {
    const found = await pages(usersGet, "users", resource);
    return found.map(({ userId, accessRole, expiresAt }) => ({ ...resource, userId, accessRole, expiresAt }));
  }
}

async function eachOf<T, R>(items: readonly T[], of: (item: T) => Promise<R[]>): Promise<R[]> {
  const all: R[] = [];
  for (const item of items) all.push(...(await of(item)));
  return all;
}

export async function importAll(as: Credentials, exported: Export): Promise<void> {
  const { organizationId } = exported.organization as { organizationId: string };
  const send = (endpoint: { name: string }, data: object) => must(endpoint, { as, data: { organizationId, ...data } });
  await must(organizationsAdd, { as, data: { organizations: [exported.organization] } });
  await send(foldersAdd, { folders: exported.folders });
  for (const { folderId, ...document } of exported.documents as Json[]) {
    await send(documentsAdd, { folderId, documents: [document] });
  }
  for (const { properties, accessFields, accessRole, ...user } of exported.users as Json[]) {
    const context = accessFields && { access: accessOf(accessFields) };
    if (accessRole) await send(usersAdd, { users: [{ ...user, accessRole, context }] });
    else {
      const { accessRole, expiresAt, ...place } = firstRoleOf(user.userId);
      await send(usersAdd, { ...place, users: [{ ...user, accessRole, expiresAt }] });
    }
    if (properties) await send(usersUpdate, { users: [{ userId: user.userId, ...properties }] });
  }
  for (const { folderId, documentId, ...user } of exported.roles as Json[]) {
    await send(usersAdd, { folderId, documentId, users: [user] });
  }
  for (const { members, ...group } of exported.groups as Json[]) {
    await send(usergroupsAdd, { organizationUserGroups: [group] });
    const { organizationUserGroupId } = group;
    if (members.length > 0) await send(usergroupUsersAdd, { organizationUserGroupId, userIds: members });
  }
  for (const { kind, documentId, location, organizationId: _, ...item } of exported.features as Json[]) {
    await send(documentsDataAdd, { documentId, location, [kind]: [item], silent: true });
  }
  for (const editor of exported.editors) await send(crdtAdd, editor);
  for (const { documentId, ...user } of exported.presence as Json[]) {
    await send(presenceAdd, { documentId, users: [user] });
  }
  for (const { userId, documentId, config } of exported.preferences as Json[]) {
    await send(notificationsConfigSet, { userIds: [userId], documentIds: documentId ? [documentId] : [], config });
  }

  /** A user without a role on the organization has one on a folder or document. */
  function firstRoleOf(userId: string): Json {
    const { userId: _, ...role } = exported.roles.find((each: Json) => each.userId === userId) as Json;
    return role;
  }
}

/** `field:value` texts as the object that users/add takes. */
function accessOf(fields: readonly string[]): Record<string, string[]> {
  const pairs = fields.map(
    (field) => [field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1)] as const,
  );
  return Object.fromEntries(
    Object.entries(Object.groupBy(pairs, ([name]) => name)).map(([name, values = []]) => [
      name,
      values.map(([, value]) => value),
    ]),
  );
}

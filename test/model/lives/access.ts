// Steps on users, their grants and their groups.
import { permissionsAdd } from "../../../functions/permissions/permissions-add.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupUsersDelete } from "../../../functions/user-groups/usergroup-users-delete.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { usergroupsDelete } from "../../../functions/user-groups/usergroups-delete.ts";
import { usergroupsUpdate } from "../../../functions/user-groups/usergroups-update.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import fc from "../../support/property.ts";
import { documentId, folderId, groupIds, kind, maybe, oneOf, organizationId, userId } from "./kind.ts";
import { isThere, type Role, type State, type User } from "./state.ts";

interface Place {
  type: "folder" | "document";
  id: string;
}

const role = oneOf<Role[]>("viewer", "editor");
const place: fc.Arbitrary<Place> = fc.oneof(
  documentId.map((id): Place => ({ type: "document", id })),
  folderId.map((id): Place => ({ type: "folder", id })),
);
const anywhere = fc.oneof(fc.constant({ type: "organization" as const, id: organizationId }), place);
const groupId = oneOf(...groupIds);

const exists = (state: State, { type, id }: Place) =>
  type === "folder" ? state.folders.has(id) : state.documents.has(id);

function userOf(state: State, id: string): User {
  const user = state.users.get(id) ?? {};
  state.users.set(id, user);
  return user;
}

function grant(state: State, id: string, { type, id: place }: Place, role: Role): void {
  const grants = state.grants[type].get(place) ?? new Map();
  state.grants[type].set(place, grants.set(id, role));
}

const fieldOf = (on: Place | undefined) => on && { [`${on.type}Id`]: on.id };

export const access = {
  grant: kind({
    weight: 3,
    shape: { userId, on: anywhere, accessRole: role },
    endpoint: permissionsAdd,
    request: ({ userId, on, accessRole }) => ({
      organizationId: undefined,
      user: { userId },
      permissions: { resources: [{ ...on, organizationId, accessRole }] },
    }),
    expected(state, { userId: id, on, accessRole }) {
      if (state.organization?.going) return "ABORTED";
      if (!isThere(state)) return "INVALID_ARGUMENT";
      const user = userOf(state, id);
      // A user with a profile exists in any case.
      user.wasGranted = true;
      if (on.type === "organization") user.role = accessRole;
      else grant(state, id, on, accessRole);
      return 1;
    },
    shown: ({ granted }) => granted,
  }),
  revoke: kind({
    weight: 2,
    shape: { userId, on: anywhere },
    endpoint: permissionsRemove,
    request: ({ userId, on }) => ({
      organizationId: undefined,
      user: { userId },
      permissions: { resources: [{ ...on, organizationId }] },
    }),
    expected(state, { userId: id, on }) {
      if (!isThere(state)) return 0;
      if (on.type !== "organization") return Number(state.grants[on.type].get(on.id)?.delete(id) ?? false);
      const user = state.users.get(id);
      const hadRole = user?.role !== undefined;
      delete user?.role;
      return Number(hadRole);
    },
    shown: ({ removed }) => removed,
  }),
  addUser: kind({
    weight: 3,
    shape: { userId, on: maybe(place), accessRole: role },
    endpoint: usersAdd,
    request: ({ userId, on, accessRole }) => ({ ...fieldOf(on), users: [{ userId, accessRole }] }),
    expected(state, { userId: id, on, accessRole }) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      const user = userOf(state, id);
      const hasRole = on ? state.grants[on.type].get(on.id)?.has(id) : user.role !== undefined;
      if (user.hasProfile && hasRole) return "already-exists";
      user.hasProfile = true;
      if (!hasRole && on) grant(state, id, on, accessRole);
      else if (!hasRole) user.role = accessRole;
      return on && !exists(state, on) ? `${on.type}-not-found` : "added";
    },
    shown: (data) => (Object.values(data) as { code?: string }[])[0]?.code ?? "added",
  }),
  deleteUser: kind({
    weight: 2,
    shape: { userId, on: maybe(place) },
    endpoint: usersDelete,
    request: ({ userId, on }) => ({ ...fieldOf(on), userIds: [userId] }),
    expected(state, { userId: id, on }) {
      if (on) {
        if (isThere(state) && state.grants[on.type].get(on.id)?.delete(id)) return `User removed from the ${on.type}.`;
        return isThere(state) && exists(state, on)
          ? `The user has no grant on the ${on.type}.`
          : `The ${on.type} does not exist.`;
      }
      if (!isThere(state) || !state.users.delete(id)) return "The user does not exist.";
      for (const grants of Object.values(state.grants)) for (const each of grants.values()) each.delete(id);
      for (const { members } of state.groups.values()) members.delete(id);
      return "User deleted.";
    },
  }),
  addGroup: kind({
    weight: 2,
    shape: { groupId },
    endpoint: usergroupsAdd,
    request: ({ groupId }) => ({ organizationUserGroups: [{ organizationUserGroupId: groupId }] }),
    expected(state, { groupId }) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      if (state.groups.has(groupId)) return "already-exists";
      state.groups.set(groupId, { members: new Set() });
      return "User group added.";
    },
  }),
  updateGroup: kind({
    shape: { groupId, name: oneOf("One", "Two") },
    endpoint: usergroupsUpdate,
    request: ({ groupId, name }) => ({
      organizationUserGroups: [{ organizationUserGroupId: groupId, organizationUserGroupName: name }],
    }),
    expected(state, { groupId, name }) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      const group = state.groups.get(groupId);
      if (!group) return "not-found";
      group.name = name;
      return "User group updated.";
    },
  }),
  deleteGroup: kind({
    shape: { groupId },
    endpoint: usergroupsDelete,
    request: ({ groupId }) => ({ organizationUserGroupIds: [groupId] }),
    expected(state, { groupId }) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      return state.groups.delete(groupId) ? "User group deleted." : "The user group does not exist.";
    },
  }),
  join: kind({
    weight: 2,
    shape: { groupId, userId },
    endpoint: usergroupUsersAdd,
    request: ({ groupId, userId }) => ({ organizationUserGroupId: groupId, userIds: [userId] }),
    expected(state, { groupId, userId }) {
      const group = state.groups.get(groupId);
      if (!isThere(state) || !group || !state.users.has(userId)) return "not-found";
      group.members.add(userId);
      return "User added to the user group.";
    },
  }),
  leave: kind({
    shape: { groupId, userId },
    endpoint: usergroupUsersDelete,
    request: ({ groupId, userId }) => ({ organizationUserGroupId: groupId, userIds: [userId] }),
    expected(state, { groupId, userId }) {
      const isOut = isThere(state) && state.groups.get(groupId)?.members.delete(userId);
      return isOut ? "User removed from the user group." : "The user is not in the user group.";
    },
  }),
};

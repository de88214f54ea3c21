// Steps on users, grants, tokens and user groups.
import type { Role } from "../../support/model.ts";
import type { Random } from "../../support/random.ts";
import { type Access, accessTo, accessToOrganization } from "../access.ts";
import type { Reply } from "../envelope.ts";
import { messages, ok, oneOf, own, type Reading, type Step, successes, whole } from "../step.ts";
import { ended, endsLate, type World } from "../world.ts";

type Type = "folder" | "document";

const anyRole = (random: Random): Role | undefined => random.from(["viewer", "editor", undefined]);
const anyEnd = (random: Random) => random.from([undefined, undefined, endsLate, ended]);

function anyGrant(random: Random) {
  return { accessRole: anyRole(random), expiresAt: anyEnd(random) };
}

/** A folder or a document that exists; undefined: the organization. */
function anyTarget(world: World, random: Random): { type: Type; id: string } | undefined {
  const type = random.from(["folder", "document", undefined] as const);
  const ids = type === "folder" ? [...world.folders.keys()] : [...world.documents.keys()];
  return type && ids.length > 0 ? { type, id: random.from(ids) } : undefined;
}

function grantOn(world: World, userId: string, { type, id }: { type: Type; id: string }, role: Role, end?: number) {
  if (type === "folder") world.grantFolder(userId, id, role, end);
  else world.grant(userId, id, role, end);
}

const fieldOf = (target: { type: Type; id: string } | undefined) => target && { [`${target.type}Id`]: target.id };

export function addUsers(world: World, random: Random): Step {
  const target = anyTarget(world, random);
  const users = random.some(world.userIds, 2).map((userId) => {
    const isAdmin = random.chance(0.1) ? true : undefined;
    return { userId, name: random.from(["Ada", "🦜", undefined]), isAdmin, ...anyGrant(random) };
  });
  const hasGrant = (userId: string) =>
    target ? world.isAlive(world.grantsOn(target.type, target.id)?.get(userId), userId) : world.isMember(userId);
  const isDone = (userId: string) => !world.user(userId).hasProfile || !hasGrant(userId);
  return {
    endpoint: "users-add",
    data: { organizationId: world.organizationId, ...fieldOf(target), users },
    observe: successes,
    expect: () => ok(users.map(({ userId }) => [userId, isDone(userId)])),
    apply() {
      for (const { userId, name, isAdmin, accessRole: role = "editor", expiresAt } of users) {
        const user = world.user(userId);
        if (!isDone(userId)) continue;
        const keepsRole = hasGrant(userId);
        if (!user.hasProfile) Object.assign(user, { hasProfile: true, ...(name !== undefined && { name }) });
        if (keepsRole) continue;
        if (target) grantOn(world, userId, target, role, expiresAt);
        else Object.assign(user, { role, expiresAt, isAdmin });
      }
    },
  };
}

export function updateUsers(world: World, random: Random): Step {
  const target = anyTarget(world, random);
  const users = random.some(world.userIds, 2).map((userId) => {
    const isAdmin = random.chance(0.2) ? random.chance(0.5) : undefined;
    return { userId, name: random.from(["Bob", undefined]), isAdmin, ...anyGrant(random) };
  });
  type Update = (typeof users)[number];
  const currentOf = ({ userId }: Update) => {
    if (!target) return world.isMember(userId) ? world.user(userId) : undefined;
    const grant = world.grantsOn(target.type, target.id)?.get(userId);
    return world.isAlive(grant, userId) ? grant : undefined;
  };
  const givesAdmin = ({ isAdmin }: Update) => !target && isAdmin !== undefined;
  // Without a grant, nobody is an admin.
  const changesGrant = (update: Update) =>
    update.accessRole !== undefined ||
    update.expiresAt !== undefined ||
    (givesAdmin(update) && (update.isAdmin === true || currentOf(update) !== undefined));
  const isDone = (update: Update) => {
    if (update.name === undefined && !changesGrant(update) && !givesAdmin(update)) return false;
    if (!world.isKnown(update.userId)) return false;
    return !changesGrant(update) || update.accessRole !== undefined || currentOf(update) !== undefined;
  };
  return {
    endpoint: "users-update",
    data: { organizationId: world.organizationId, ...fieldOf(target), users },
    observe: successes,
    expect: () => ok(users.map((update) => [update.userId, isDone(update)])),
    apply() {
      for (const update of users.filter(isDone)) {
        const user = world.user(update.userId);
        const current = currentOf(update);
        if (update.name !== undefined) Object.assign(user, { name: update.name, hasProfile: true });
        if (!changesGrant(update)) continue;
        const role = update.accessRole ?? current?.role ?? "editor";
        const expiresAt = update.expiresAt ?? current?.expiresAt;
        const isAdmin = update.isAdmin ?? (current && user.isAdmin);
        if (target) grantOn(world, update.userId, target, role, expiresAt);
        else Object.assign(user, { role, expiresAt, isAdmin });
      }
    },
  };
}

export function deleteUsers(world: World, random: Random): Step {
  const userIds = random.some(world.userIds, 1);
  return {
    endpoint: "users-delete",
    data: { organizationId: world.organizationId, userIds },
    observe: messages,
    expect: () => ok(userIds.map((id) => [id, world.isKnown(id) ? "User deleted." : "The user does not exist."])),
    apply: () => userIds.filter((id) => world.isKnown(id)).forEach((id) => void world.deleteUser(id)),
  };
}

export function getUsers(world: World, random: Random): Step {
  const userIds = random.chance(0.8) ? random.some(world.userIds, 3) : undefined;
  const shown = (userId: string) => {
    const { name, role, expiresAt, isAdmin = false } = world.user(userId);
    const grant = world.isMember(userId) && { isAdmin, accessRole: role, expiresAt };
    return JSON.parse(JSON.stringify({ userId, name, ...grant }));
  };
  return {
    endpoint: "users-get",
    data: { organizationId: world.organizationId, userIds, pageSize: random.pageSize() },
    lists: ["users"],
    observe: ({ data }) =>
      new Map(
        (data.users as Record<string, unknown>[]).map(({ isAdmin, email: _, properties: __, ...user }) => [
          `${user.userId}`,
          { ...user, ...("accessRole" in user && { isAdmin }) },
        ]),
      ),
    expect() {
      const found = (userIds ?? world.userIds).filter((id) => world.user(id).hasProfile);
      return ok(found.map((userId) => [userId, shown(userId)]));
    },
  };
}

const resource = (world: World, type: string, id: string) =>
  type === "organization" ? { type, id } : { type, id, organizationId: world.organizationId };

/** Resources of the organization. Those that do not exist yet are among them. */
function anyResources(world: World, random: Random) {
  const documents = world.documentIds.map((id) => resource(world, "document", id));
  const folders = world.folderIds.map((id) => resource(world, "folder", id));
  const all = [...documents, ...folders, resource(world, "organization", world.organizationId)];
  return random.some(all, 2) as { type: Type | "organization"; id: string }[];
}

export function addPermissions(world: World, random: Random): Step {
  const userId = random.from(world.userIds);
  const resources = anyResources(world, random).map((each) => ({ ...each, ...anyGrant(random) }));
  return {
    endpoint: "permissions-add",
    data: { user: { userId }, permissions: { resources } },
    observe: whole(({ granted }) => granted),
    expect: () => oneOf(resources.length),
    apply: () => applyGrants(world, userId, resources),
  };
}

type Granted = { type: Type | "organization"; id: string; accessRole: Role | undefined; expiresAt: number | undefined };

function applyGrants(world: World, userId: string, resources: Granted[], isAdmin?: boolean): void {
  for (const { type, id, accessRole: role = "editor", expiresAt } of resources) {
    if (type === "organization") Object.assign(world.user(userId), { role, expiresAt, isAdmin, wasGranted: true });
    else grantOn(world, userId, { type, id }, role, expiresAt);
  }
}

/** The number of removed grants is not compared: an ended one may be gone already. */
export function removePermissions(world: World, random: Random): Step {
  const userId = random.from(world.userIds);
  const resources = anyResources(world, random);
  return {
    endpoint: "permissions-remove",
    data: { user: { userId }, permissions: { resources } },
    expect: () => ok(),
    apply() {
      for (const { type, id } of resources) {
        if (type !== "organization") world.grantsOn(type, id)?.delete(userId);
        else Object.assign(world.user(userId), { role: undefined, expiresAt: undefined, isAdmin: undefined });
      }
    },
  };
}

export function generateToken(world: World, random: Random): Step {
  const userId = random.from(world.userIds);
  const resources = anyResources(world, random).map((each) => ({ ...each, ...anyGrant(random) }));
  const isAdmin = random.chance(0.1) ? true : undefined;
  const name = random.from(["Ada", "Eve"]);
  return {
    endpoint: "token-generate",
    data: { userId, userProperties: { name, email: "ada@example.com", isAdmin }, permissions: { resources } },
    observe: whole(({ token }) => {
      const { sub, name, exp, iat } = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
      return { sub, name, seconds: exp - iat };
    }),
    expect: () => oneOf({ sub: userId, name, seconds: 172_800 }),
    apply() {
      Object.assign(world.user(userId), { hasProfile: true, name });
      applyGrants(world, userId, resources, isAdmin ?? false);
    },
  };
}

/** All users on all resources that exist, and sometimes on one that does not. */
export function getPermissions(world: World, random: Random): Step {
  const { organizationId } = world;
  const userIds = random.some(world.userIds, 3);
  const isStray = random.chance(0.1);
  const folderIds = isStray ? random.some(world.folderIds, 2) : [...world.folders.keys()];
  const documentIds = isStray ? random.some(world.documentIds, 2) : [...world.documents.keys()];
  const resources = [
    ...folderIds.map((id) => ({ type: "folder", list: "folders", id }) as const),
    ...documentIds.map((id) => ({ type: "document", list: "documents", id }) as const),
  ];
  const isComplete = () =>
    resources.every(({ type, id }) => (type === "folder" ? world.folders : world.documents).has(id));
  const observe = ({ data, error }: Reply): Reading => {
    const found = error ? error.details : data;
    const entries = userIds.flatMap((userId) => {
      const user = own(found, userId);
      return [
        [`${userId} on the organization`, shownEntry(own(user?.organization, organizationId))] as const,
        ...resources.map(({ list, id }) => [`${userId} on ${list} ${id}`, shownEntry(own(user?.[list], id))] as const),
      ];
    });
    return new Map(entries);
  };
  return {
    endpoint: "permissions-get",
    data: { organizationId, userIds, folderIds, documentIds },
    observe,
    expect() {
      const entries = userIds.flatMap((userId) => [
        [`${userId} on the organization`, entryOf(accessToOrganization(world, userId))] as const,
        ...resources.map(
          ({ type, list, id }) => [`${userId} on ${list} ${id}`, entryOf(accessTo(world, userId, type, id))] as const,
        ),
      ]);
      return { outcome: isComplete() ? "OK" : "NOT_FOUND", reading: new Map(entries) };
    },
  };
}

function shownEntry(entry: Record<string, unknown> | undefined): unknown {
  if (!entry) return undefined;
  const { error: _, ...rest } = entry;
  return rest;
}

function entryOf(access: Access | undefined): unknown {
  if (!access) return { errorCode: "does_not_exist" };
  return access.accessRole ? { ...access } : { accessType: access.accessType, errorCode: "permission_denied" };
}

export function addGroups(world: World, random: Random): Step {
  const ids = random.some(world.groupIds, 2);
  return {
    endpoint: "usergroups-add",
    data: {
      organizationId: world.organizationId,
      organizationUserGroups: ids.map((organizationUserGroupId) => ({ organizationUserGroupId })),
    },
    observe: successes,
    expect: () => ok(ids.map((id) => [id, !world.groups.has(id)])),
    apply() {
      for (const id of ids) if (!world.groups.has(id)) world.groups.set(id, new Map());
    },
  };
}

export function joinGroup(world: World, random: Random): Step {
  const organizationUserGroupId = random.from(world.groupIds);
  const userIds = random.some(world.userIds, 2);
  const isDone = (id: string) => world.groups.has(organizationUserGroupId) && world.isKnown(id);
  return {
    endpoint: "usergroup-users-add",
    data: { organizationId: world.organizationId, organizationUserGroupId, userIds },
    observe: successes,
    expect: () => ok(userIds.map((id) => [id, isDone(id)])),
    apply() {
      for (const id of userIds.filter(isDone)) world.groups.get(organizationUserGroupId)?.set(id, true);
    },
  };
}

export function leaveGroup(world: World, random: Random): Step {
  const organizationUserGroupId = random.from(world.groupIds);
  const userIds = random.some(world.userIds, 2);
  const message = (id: string) => {
    const isMember = world.groups.get(organizationUserGroupId)?.get(id);
    return isMember ? "User removed from the user group." : "The user is not in the user group.";
  };
  return {
    endpoint: "usergroup-users-delete",
    data: { organizationId: world.organizationId, organizationUserGroupId, userIds },
    observe: messages,
    expect: () => ok(userIds.map((id) => [id, message(id)])),
    apply() {
      for (const id of userIds) world.groups.get(organizationUserGroupId)?.set(id, false);
    },
  };
}

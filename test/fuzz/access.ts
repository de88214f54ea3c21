// Who has access to what, by the rules of the model.
import type { Grant } from "../support/model.ts";
import { hasEnded, type World } from "./world.ts";

export interface Access {
  accessRole?: string;
  accessType: string;
  expiresAt?: number;
}

const accessTypeDefault = "organizationPrivate";

export function accessToOrganization(world: World, userId: string): Access {
  const user = world.user(userId);
  if (!world.isMember(userId)) return { accessType: accessTypeDefault };
  return { accessType: accessTypeDefault, accessRole: user.isAdmin ? "editor" : (user.role as string), ...endOf(user) };
}

/** Undefined: the folder or document does not exist. */
export function accessTo(world: World, userId: string, type: "folder" | "document", id: string): Access | undefined {
  const document = type === "document" ? world.documents.get(id) : undefined;
  if (type === "document" ? !document : !world.folders.has(id)) return undefined;
  const path = world.pathOf(type === "folder" ? id : document?.folderId);
  const ofFolders = path.map((each) => world.folders.get(each)?.accessType).find((each) => each !== undefined);
  const accessType = ofFolders ?? document?.accessType ?? accessTypeDefault;
  const user = world.user(userId);
  const isMember = world.isMember(userId);
  if (isMember && user.isAdmin) return { accessType, accessRole: "editor", ...endOf(user) };
  const grants = [document?.grants.get(userId), ...path.map((each) => world.folderGrants.get(each)?.get(userId))];
  const grant = grants.find((each) => world.isAlive(each, userId)) as Grant | undefined;
  if (grant) return { accessType, accessRole: grant.role, ...endOf(grant) };
  if (isMember && accessType !== "restricted") return { accessType, accessRole: user.role as string, ...endOf(user) };
  return accessType === "public" ? { accessType, accessRole: "viewer" } : { accessType };
}

const endOf = (grant: { expiresAt?: number | undefined }) =>
  grant.expiresAt === undefined || hasEnded(grant) ? {} : { expiresAt: grant.expiresAt };

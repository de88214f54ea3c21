// Giving and taking access: from resources as the wire names them to writes.

import type { Write } from "../dynamodb/write.ts";
import type { AccessContext, ResourceGrant, ResourceName } from "../schema/access.ts";
import * as Document from "../store/document.ts";
import * as Grant from "../store/grant.ts";
import * as User from "../store/user.ts";

/** [field, value] pairs, values as strings, each pair once. */
export function accessPairs(context: AccessContext | undefined): [string, string][] | undefined {
  if (!context) return undefined;
  const pairs = Object.entries(context.access).flatMap(([field, values]) =>
    [values].flat().map((value): [string, string] => [field, String(value)]),
  );
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()];
}

export function grantOf(resource: Pick<ResourceGrant, "accessRole" | "expiresAt" | "context">): Grant.Grant {
  const access = accessPairs(resource.context);
  return {
    accessRole: resource.accessRole ?? "editor",
    ...(resource.expiresAt !== undefined && { expiresAt: resource.expiresAt }),
    ...(access && { access }),
  };
}

export const organizationOf = (resource: ResourceName) =>
  resource.type === "organization" ? resource.id : (resource.organizationId as string);

/** The resources with each named once (the last entry wins), by organization. */
export function byOrganization<R extends ResourceName>(resources: readonly R[]): Map<string, R[]> {
  const distinct = new Map(resources.map((each) => [JSON.stringify([each.type, each.id, organizationOf(each)]), each]));
  return Map.groupBy(distinct.values(), organizationOf);
}

/** What one organization holds that grants to a user depend on. */
export async function loadTargets(
  workspace: string,
  organizationId: string,
  userIds: readonly string[],
  documentIds: readonly string[],
) {
  const [users, uids] = await Promise.all([
    User.getMany(workspace, organizationId, userIds),
    Document.uidsOf(workspace, organizationId, documentIds),
  ]);
  return { users: new Map(userIds.map((id, index) => [id, users[index]])), uids };
}
export type Targets = Awaited<ReturnType<typeof loadTargets>>;

/** The write of one grant on a folder or a document. */
export function resourceGrant(
  workspace: string,
  organizationId: string,
  targets: Targets,
  userId: string,
  resource: { type: "folder" | "document"; id: string },
  grant: Grant.Grant,
): Write {
  const stored = { ...grant, userId, life: User.lifeOf(targets.users.get(userId)) };
  if (resource.type === "folder") return Grant.onFolder(workspace, organizationId, resource.id, stored);
  return Grant.onDocument(workspace, targets.uids.get(resource.id) as string, stored);
}

// Chooses who decides on access: the grants in the table, or the customer's permission provider if it is enabled.
import { inSlot } from "../http/call-slot.ts";
import { log } from "../log.ts";
import type { AccessType } from "../schema/primitives.ts";
import { purposes, unseal } from "../secrets.ts";
import * as User from "../store/access/user.ts";
import { addressProblem } from "../store/secret-addresses.ts";
import type { Settings } from "../store/setting.ts";
import { loadAccessTypes } from "./access-types.ts";
import { askProvider, type ProviderAnswer, type ProviderQuestion } from "./permission-provider.ts";
import type { Resolver } from "./permissions-reply.ts";
import { readGrants } from "./read-grants.ts";
import { type Decision, loadGrants, type Question, type Resource, resourcesOf, type Subjects } from "./resolve.ts";

/** `slot`: see `askProviderOf`. */
export async function resolverOf(
  question: Question,
  subjects: Subjects,
  provider: Settings["permissionProvider"],
  defaultAccessType: AccessType,
  slot?: "provider",
): Promise<Resolver> {
  const { organizationId } = question;
  if (!subjects.hasOrganization) {
    return {
      organization: () => denied(defaultAccessType, organizationId),
      resource: (_userId, { id }) => denied(defaultAccessType, id),
    };
  }
  if (provider.usePermissionProvider) return providerResolver(question, subjects, provider, defaultAccessType, slot);
  const resource = await loadGrants(question, subjects, defaultAccessType, readGrants);
  const organization = (userId: string) =>
    onOrganization(subjects.users.get(userId), defaultAccessType, organizationId);
  return { resource, organization };
}

/** Access to the organization itself. Only a grant on the organization counts. */
function onOrganization(user: User.User | undefined, accessType: AccessType, id: string): Decision {
  if (!User.isMember(user)) return denied(accessType, id);
  const { accessRole, expiresAt, access, isAdmin } = user;
  return {
    accessType,
    accessRole: isAdmin ? "editor" : accessRole,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(access && { access }),
    because: { level: isAdmin ? "admin" : "organization", id },
  };
}

/**
 * Asks the workspace's provider. If the operator's setting forbids the stored address, nothing is sent, and all answers
 * count as failed. `slot`: a call holds one of its workspace's slots while it waits. When all slots are held,
 * RESOURCE_EXHAUSTED is thrown. Absent in a worker: the slots of jobs limit how many of a workspace's jobs wait at a
 * time.
 */
export async function askProviderOf(
  workspace: string,
  { permissionProviderUrl: url, authTokenSealed: sealed }: Settings["permissionProvider"],
  requests: readonly ProviderQuestion[],
  slot?: "provider",
): Promise<ProviderAnswer[]> {
  const { permissionProvider: purpose } = purposes;
  const problem = addressProblem(purpose, url);
  if (problem) {
    log("warn", "The address of the permission provider is refused.", { workspace, problem });
    return requests.map(() => ({ outcome: "failed" }));
  }
  const ask = async () =>
    askProvider({ url, authToken: sealed ? await unseal(sealed, { workspace, purpose }) : undefined, requests });
  return slot === undefined ? ask() : inSlot({ workspace }, slot, ask);
}

async function providerResolver(
  question: Question,
  subjects: Subjects,
  setting: Settings["permissionProvider"],
  defaultAccessType: AccessType,
  slot: "provider" | undefined,
): Promise<Resolver> {
  const { workspace, organizationId, userIds } = question;
  const resources = resourcesOf(subjects);
  const named = [
    { id: organizationId, type: "organization", organizationId },
    ...resources.map((each) => ({ id: each.id, type: each.type, organizationId, ...parentOf(each) })),
  ];
  const requests = userIds.flatMap((userId) => named.map((resource): ProviderQuestion => ({ userId, resource })));
  const [accessTypeOf, answers] = await Promise.all([
    loadAccessTypes(question, resources, subjects.known, defaultAccessType),
    askProviderOf(workspace, setting, requests, slot),
  ]);
  const byName = new Map(requests.map((each, index) => [nameOf(each.userId, each.resource), answers[index]]));
  const decisionOf = (userId: string, type: string, id: string, accessType: AccessType) =>
    toDecision(byName.get(nameOf(userId, { type, id })), accessType, id);
  return {
    organization: (userId) => decisionOf(userId, "organization", organizationId, defaultAccessType),
    resource: (userId, resource) => decisionOf(userId, resource.type, resource.id, accessTypeOf(resource)),
  };
}

function toDecision(answer: ProviderAnswer | undefined, accessType: AccessType, id: string): Decision {
  const base = { accessType, because: { level: "provider", id } } as const;
  if (answer?.outcome === "allowed") {
    const { accessRole, expiresAt } = answer;
    return { ...base, accessRole, ...(expiresAt !== undefined && { expiresAt }) };
  }
  return answer?.outcome === "denied" ? base : { ...base, isUndecided: true };
}

/** The parent folder of a resource, in the form that the provider receives. */
export function parentOf({ type, folders }: Resource) {
  const parentFolderId = (type === "folder" ? folders[1] : folders[0])?.folderId;
  return parentFolderId === undefined ? {} : { parentFolderId };
}

const nameOf = (userId: string, { type, id }: { type: string; id: string }) => JSON.stringify([userId, type, id]);
const denied = (accessType: AccessType, id: string): Decision => ({ accessType, because: { level: "none", id } });

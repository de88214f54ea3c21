// Builds the reply of get-permissions from decisions (DECISIONS.md#denied-and-missing-resources).
import { byId } from "../schema/item-result.ts";
import type { Permission, Permissions } from "../schema/permissions.ts";
import type { Decision, Question, Resource, Subjects } from "./resolve.ts";

/** Decides on one user's access to the organization or to a resource. */
export interface Resolver {
  organization(userId: string): Decision;
  resource(userId: string, resource: Resource): Decision;
}

/** Whether everything that the question names exists. */
export function isComplete({ hasOrganization, folders, documents }: Subjects): boolean {
  return hasOrganization && [...folders.values(), ...documents.values()].every((each) => each !== undefined);
}

/** `isExplained`: each entry says what has decided. */
export function permissionsOf(
  question: Question,
  subjects: Subjects,
  resolver: Resolver,
  isExplained: boolean,
): Permissions {
  return byId(question.userIds.map((userId) => [userId, entriesOf(userId, question, subjects, resolver, isExplained)]));
}

function entriesOf(
  userId: string,
  question: Question,
  subjects: Subjects,
  resolver: Resolver,
  isExplained: boolean,
): Permissions[string] {
  const fields = new Set<string>();
  const entry = (decision: Decision): Permission => {
    for (const [field, value] of decision.access ?? []) fields.add(`${field}:${value}`);
    return isExplained ? { ...entryOf(decision), because: explanationOf(decision) } : entryOf(decision);
  };
  const entries = (resources: Map<string, Resource | undefined>, what: string) =>
    byId(
      [...resources].map(([id, resource]) => [
        id,
        resource ? entry(resolver.resource(userId, resource)) : missing(`The ${what} does not exist.`),
      ]),
    );
  const organization = subjects.hasOrganization
    ? entry(resolver.organization(userId))
    : missing("The organization does not exist.");
  const folders = entries(subjects.folders, "folder");
  const documents = entries(subjects.documents, "document");
  return {
    folders,
    documents,
    organization: byId([[question.organizationId, organization]]),
    ...(fields.size > 0 && { context: { accessFields: [...fields] } }),
  };
}

function entryOf({ accessType, accessRole, expiresAt, isUndecided }: Decision): Permission {
  if (accessRole) return { accessRole, accessType, ...(expiresAt !== undefined && { expiresAt }) };
  if (isUndecided) {
    const error = "The permission provider gave no usable answer.";
    return { accessType, error, errorCode: "something_went_wrong" };
  }
  return { accessType, ...noAccess };
}

const noAccess = { error: "The user has no access.", errorCode: "permission_denied" } as const;

const explanationOf = ({ because, accessRole, expiresAt }: Decision) => ({
  ...because,
  ...(accessRole && { accessRole }),
  ...(expiresAt !== undefined && { expiresAt }),
});

function missing(error: string): Permission {
  return { error, errorCode: "does_not_exist" };
}

/**
 * The reply to a user. A missing resource looks like a forbidden one. `permissions`: resolved as if all resources
 * existed.
 */
export function asUsersSee(permissions: Permissions, { hasOrganization, folders, documents }: Subjects): Permissions {
  const shown = (entry: Permission, exists: boolean): Permission => {
    if (exists && entry.error === undefined) return entry;
    const { error = noAccess.error, errorCode = noAccess.errorCode } = entry;
    return { error, errorCode };
  };
  const seen = (some: Record<string, Permission>, exists: (id: string) => boolean) =>
    byId(Object.entries(some).map(([id, each]) => [id, shown(each, exists(id))]));
  return byId(
    Object.entries(permissions).map(([id, own]) => [
      id,
      {
        ...own,
        folders: seen(own.folders, (folderId) => folders.get(folderId) !== undefined),
        documents: seen(own.documents, (documentId) => documents.get(documentId) !== undefined),
        organization: seen(own.organization, () => hasOrganization),
      },
    ]),
  );
}

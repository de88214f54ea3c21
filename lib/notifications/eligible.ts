// Who gets a notification (decision N1). What the document's users have set and been granted is loaded once; then users
// are judged by the hundreds.
import { askProvider } from "../access/provider.ts";
import { decide, type Resource } from "../access/resolve.ts";
import { parentOf, providerOf } from "../access/resolver.ts";
import { chunks } from "../concurrency.ts";
import { perUser } from "../dynamodb/per-user.ts";
import { dataKeys } from "../store/data-keys.ts";
import { holds, listOn, type StoredGrant } from "../store/grant.ts";
import { keys } from "../store/keys.ts";
import type { Content } from "../store/notification.ts";
import { resolve, type StoredPreference } from "../store/preference.ts";
import type { Settings } from "../store/setting.ts";
import * as User from "../store/user.ts";

export interface Candidate {
  userId: string;
  user: User.User | undefined;
  /** Named in the notification's `notifyUsers`. */
  isNamed: boolean;
}

export interface Occasion {
  workspace: string;
  organizationId: string;
  document: Resource & { uid: string };
  content: Pick<Content, "verifyUserPermissions" | "access">;
  provider: Settings["permissionProvider"];
}

export type Judge = (candidates: readonly Candidate[]) => Promise<Candidate[]>;

/** Users whose folder grants are read at once: there can be one for each of 32 folders. */
const usersAtOnce = 100;

/** Answers which candidates get the notification, in their order. */
export async function judgeOf(occasion: Occasion): Promise<Judge> {
  const { workspace, document, content, provider } = occasion;
  const needsGrants = content.access.length > 0 || (content.verifyUserPermissions && !provider.usePermissionProvider);
  const [preferencesOf, grantsOf] = await Promise.all([
    perUser<StoredPreference, StoredPreference>({
      keyOf: (userId) => dataKeys.preference(workspace, document.uid, userId),
      keep: ({ userId, life, inbox }) => ({ userId, life, inbox }),
    }),
    needsGrants &&
      perUser<StoredGrant, StoredGrant>({
        keyOf: (userId) => keys.documentGrant(workspace, document.uid, userId),
        keep: (grant) => (holds(grant) ? essential(grant) : undefined),
      }),
  ]);
  return async (candidates) => {
    const preferences = await preferencesOf(candidates.map(({ userId }) => userId));
    const willing = candidates.filter((each, index) => wants(each, preferences[index]));
    const fitting = grantsOf ? await withAccess(occasion, willing, grantsOf) : willing;
    const asks = content.verifyUserPermissions && provider.usePermissionProvider && fitting.length > 0;
    return asks ? withProvidersAccess(occasion, fitting) : fitting;
  };
}

function wants({ user, isNamed }: Candidate, stored: StoredPreference | undefined): boolean {
  const { inbox } = resolve(user, stored);
  return inbox === "ALL" || (inbox === "MINE" && isNamed);
}

const essential = ({ userId, life, accessRole, expiresAt, access }: StoredGrant): StoredGrant => ({
  userId,
  life,
  accessRole,
  ...(expiresAt !== undefined && { expiresAt }),
  ...(access && { access }),
});

/** Grants on folders are read only for those whom nothing else lets in. */
async function withAccess(
  occasion: Occasion,
  candidates: readonly Candidate[],
  grantsOf: (userIds: readonly string[]) => Promise<(StoredGrant | undefined)[]>,
): Promise<Candidate[]> {
  const { workspace, organizationId, document } = occasion;
  const own = await grantsOf(candidates.map(({ userId }) => userId));
  const grants = new Map(candidates.map((each, index) => [each, holding(each, [own[index]])]));
  const fitting = new Set(candidates.filter((each) => fits(occasion, each, grants.get(each) ?? [])));
  const outside = document.folders.length > 0 ? candidates.filter((each) => !fitting.has(each)) : [];
  for (const group of chunks(outside, usersAtOnce)) {
    const ids = group.map(({ userId }) => userId);
    const byFolder = await Promise.all(
      document.folders.map((folderId) => listOn(workspace, organizationId, { folderId }, ids)),
    );
    for (const [index, each] of group.entries()) {
      const inherited = byFolder.map((found) => found[index]);
      if (fits(occasion, each, [...(grants.get(each) ?? []), ...holding(each, inherited)])) fitting.add(each);
    }
  }
  return candidates.filter((each) => fitting.has(each));
}

/** Those that belong to the user's present life and have not ended. */
function holding({ user }: Candidate, grants: readonly (StoredGrant | undefined)[]): StoredGrant[] {
  return grants.filter(
    (grant) => grant !== undefined && grant.life === User.lifeOf(user) && holds(grant),
  ) as StoredGrant[];
}

function fits({ document, content, provider }: Occasion, { user }: Candidate, grants: readonly StoredGrant[]): boolean {
  const decidesHere = content.verifyUserPermissions && !provider.usePermissionProvider;
  if (decidesHere && !decide(user, document.accessType, grants).accessRole) return false;
  const pairs = [...((User.isMember(user) && user.access) || []), ...grants.flatMap(({ access }) => access ?? [])];
  return content.access.every(([field, value]) => pairs.some((pair) => pair[0] === field && pair[1] === value));
}

/** Whoever the provider does not let in by name stays out: it fails closed. */
async function withProvidersAccess(occasion: Occasion, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const { workspace, organizationId, document, provider } = occasion;
  const resource = { id: document.id, type: document.type, organizationId, ...parentOf(document) };
  const requests = candidates.map(({ userId }) => ({ userId, resource }));
  const answers = await askProvider({ ...(await providerOf(workspace, provider)), requests });
  return candidates.filter((_, index) => answers[index]?.outcome === "allowed");
}

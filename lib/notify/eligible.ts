// Decides which users get a notification (DECISIONS.md#notification-recipients). Preferences and grants on the document
// are loaded once, before the first candidates are filtered. If they are too large to keep in memory, they are read for
// each group of candidates.
import { fieldsOf, hasFields } from "../access/access-fields.ts";
import { loadAccessTypes } from "../access/access-types.ts";
import { readGrants } from "../access/read-grants.ts";
import { decide, type Resource } from "../access/resolve.ts";
import { askProviderOf, parentOf } from "../access/resolver.ts";
import { chunks } from "../concurrency.ts";
import { perUser } from "../dynamodb/per-user.ts";
import { getsMessage } from "../messages/who.ts";
import type { MessageChannel } from "../schema/message-channels.ts";
import type { Channel } from "../schema/notifications.ts";
import type { AccessType } from "../schema/primitives.ts";
import { documentGrantEntity, isActive, type StoredGrant } from "../store/access/grant.ts";
import * as User from "../store/access/user.ts";
import type { Content } from "../store/notifications/notification.ts";
import { preferenceEntity, resolve, type StoredPreference } from "../store/notifications/preference.ts";
import type { DocumentDataRef, OrganizationRef } from "../store/refs.ts";
import type { Settings } from "../store/setting.ts";

/** Someone who can get the notification. */
export interface Candidate {
  userId: string;
  user: User.User | undefined;
  /** The user is in the notification's `notifyUsers`, or a member of one of its groups. */
  isNamed: boolean;
}

/** The facts beside the candidate on which eligibility depends. */
interface Notice extends OrganizationRef {
  /** When the notification was added, ISO 8601. A user whose generation began later does not get it. */
  at: string;
  document: Resource & Pick<DocumentDataRef, "documentUid">;
  defaultAccessType: AccessType;
  content: Pick<Content, "verifyUserPermissions" | "access">;
  provider: Settings["permissionProvider"];
  /** The channels that send messages of notifications. */
  messageChannels: readonly MessageChannel[];
}

/** A candidate who gets the notification, in the inbox or as a message. */
export interface Eligible extends Candidate {
  channels: readonly Channel[];
}

/** Returns the candidates who get the notification, in the order given. */
export type EligibilityFilter = (candidates: readonly Candidate[]) => Promise<Eligible[]>;

/** Users whose folder grants are read together. On 32 folders, they can have 9,600 grants: `readGrants` reads 10,000. */
const usersPerRead = 300;

export async function eligibilityFilter(notice: Notice): Promise<EligibilityFilter> {
  const { workspace, document, content, provider } = notice;
  const ref = { workspace, documentUid: document.documentUid };
  const checksGrants = content.verifyUserPermissions && !provider.usePermissionProvider;
  const needsGrants = content.access.length > 0 || checksGrants;
  const [accessType, preferencesOf, grantsOf] = await Promise.all([
    checksGrants ? accessTypeOf(notice) : undefined,
    perUser<StoredPreference, StoredPreference>({
      range: preferenceEntity.range(ref),
      keyOf: (userId) => preferenceEntity.key({ ...ref, userId }),
      keep: ({ userId, generation, inbox, email, slack }) => ({ userId, generation, inbox, email, slack }),
    }),
    needsGrants &&
      perUser<StoredGrant, StoredGrant>({
        range: documentGrantEntity.range(ref),
        keyOf: (userId) => documentGrantEntity.key({ ...ref, userId }),
        keep: (grant) => (isActive(grant) ? essential(grant) : undefined),
      }),
  ]);
  return async (candidates) => {
    const present = candidates.filter(({ user }) => User.hadBegun(user, notice.at));
    const preferences = await preferencesOf(present.map(({ userId }) => userId));
    const willing = present
      .map((each, index): Eligible => ({ ...each, channels: channelsOf(notice, each, preferences[index]) }))
      .filter(({ channels }) => channels.length > 0);
    const permitted = grantsOf ? await withAccess({ ...notice, accessType }, willing, grantsOf) : willing;
    const asksProvider = content.verifyUserPermissions && provider.usePermissionProvider && permitted.length > 0;
    return asksProvider ? allowedByProvider(notice, permitted) : permitted;
  };
}

/** See DECISIONS.md#who-gets-messages for the levels of messages. */
function channelsOf(
  { messageChannels }: Notice,
  { user, isNamed }: Candidate,
  stored: StoredPreference | undefined,
): Channel[] {
  const { inbox, ...levels } = resolve(user, stored);
  const isInInbox = inbox === "ALL" || (inbox === "MINE" && isNamed);
  const sent = messageChannels.filter((channel) => {
    const who = { isActor: false, isInvolved: isNamed, level: levels[channel] };
    return User.isKnown(user) && getsMessage(who);
  });
  return isInInbox ? ["inbox", ...sent] : sent;
}

const essential = ({ userId, generation, accessRole, expiresAt, access }: StoredGrant): StoredGrant => ({
  userId,
  generation,
  accessRole,
  ...(expiresAt !== undefined && { expiresAt }),
  ...(access && { access }),
});

async function accessTypeOf({ workspace, organizationId, document, defaultAccessType }: Notice): Promise<AccessType> {
  const effective = await loadAccessTypes({ workspace, organizationId }, [document], new Map(), defaultAccessType);
  return effective(document);
}

/** `accessType`: the document's effective access type; absent if access is not checked here. */
type Checked = Notice & { accessType: AccessType | undefined };

/** Reads folder grants only for candidates without access by other means. */
async function withAccess<C extends Candidate>(
  notice: Checked,
  candidates: readonly C[],
  grantsOf: (userIds: readonly string[]) => Promise<(StoredGrant | undefined)[]>,
): Promise<C[]> {
  const { workspace, organizationId, document } = notice;
  const own = await grantsOf(candidates.map(({ userId }) => userId));
  const grants = new Map(candidates.map((each, index) => [each, activeGrants(each, [own[index]])]));
  const permitted = new Set(candidates.filter((each) => isPermitted(notice, each, grants.get(each) ?? [])));
  const folderUids = document.folders.map(({ folderUid }) => folderUid);
  const others = document.folders.length > 0 ? candidates.filter((each) => !permitted.has(each)) : [];
  for (const group of chunks(others, usersPerRead)) {
    const userIds = group.map(({ userId }) => userId);
    const wanted = { workspace, organizationId, userIds, folderUids, documentUids: [] };
    const found = await readGrants(wanted);
    for (const each of group) {
      const inherited = folderUids.map((folderUid) => found.onFolder(each.userId, folderUid));
      const all = [...(grants.get(each) ?? []), ...activeGrants(each, inherited)];
      if (isPermitted(notice, each, all)) permitted.add(each);
    }
  }
  return candidates.filter((each) => permitted.has(each));
}

/** The unexpired grants of the user's current generation. */
function activeGrants({ user }: Candidate, grants: readonly (StoredGrant | undefined)[]): StoredGrant[] {
  return grants.filter((grant) => User.holds(user, grant));
}

function isPermitted({ accessType, content }: Checked, { user }: Candidate, grants: readonly StoredGrant[]): boolean {
  if (accessType && !decide(user, accessType, grants).accessRole) return false;
  const onDocument = grants.flatMap(({ access }) => access ?? []);
  return hasFields(content, fieldsOf(user, onDocument));
}

/** Keeps only users whom the provider explicitly allows, so a failure denies. */
async function allowedByProvider<C extends Candidate>(notice: Notice, candidates: readonly C[]): Promise<C[]> {
  const { workspace, organizationId, document, provider } = notice;
  const resource = { id: document.id, type: document.type, organizationId, ...parentOf(document) };
  const requests = candidates.map(({ userId }) => ({ userId, resource }));
  const answers = await askProviderOf(workspace, provider, requests);
  return candidates.filter((_, index) => answers[index]?.outcome === "allowed");
}

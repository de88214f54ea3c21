// The access of a user who calls (DECISIONS.md#calls-of-users). It is resolved at each call, and never taken from the
// token. A missing document and a forbidden one give the same reply, after the same rounds of reads.
import { readGrantsOfUser } from "../access/read-grants.ts";
import { asIfAllExisted, loadGrants, loadSubjects, type Question, type Subjects } from "../access/resolve.ts";
import { ApiError, invalidField } from "../errors.ts";
import type { Caller, CallingUser, Endpoint } from "../http/endpoint.ts";
import { distinct } from "../schema/primitives.ts";
import * as ProviderAnswer from "../store/access/provider-answer.ts";
import * as User from "../store/access/user.ts";

/** The reason in the failure of a call whose document has no stored answer of the provider. */
const openDocumentFirst = "OPEN_DOCUMENT_FIRST";

/** So one call of a user takes few reads, questions to a provider, and stored answers. */
const namedMax = 100;

interface Named {
  organizationId: string;
  documentId?: string;
  documentIds?: readonly string[];
  folderIds?: readonly string[];
}

/** Throws PERMISSION_DENIED unless the user has the declared access to each document that the call names. */
export async function requireAccess({ users }: Endpoint, caller: Caller, data: unknown): Promise<void> {
  const { workspace } = caller;
  const user = caller.user as CallingUser;
  const { organizationId, documentId, documentIds = [], folderIds = [] } = data as Named;
  if (documentIds.length + folderIds.length > namedMax) {
    throw invalidField(["documentIds"], `A user's call names at most ${namedMax} documents and folders.`);
  }
  const named = users === "self" ? [] : distinct([...(documentId === undefined ? [] : [documentId]), ...documentIds]);
  const question = { workspace, organizationId, userIds: [user.userId], folderIds: [], documentIds: named };
  const subjects = await loadSubjects(question);
  const stored = subjects.users.get(user.userId);
  if (isFormer(user, organizationId, stored, subjects.since)) throw denied();
  if (users === "self") return;
  if (named.length === 0 && !User.isKnown(stored)) throw denied();
  const roles = await rolesOf(caller, question, subjects);
  const isEnough = (role: string | undefined) => role === "editor" || (role === "viewer" && users === "view");
  if (!roles.every(isEnough)) throw denied();
}

/** How late the clock of another function can be. The deletion of an organization takes longer. */
const clockSkewSeconds = 30;

/** Whether the user or the organization was deleted after the token was made. `since`: when the organization was added. */
function isFormer(
  { generations, issuedAt }: CallingUser,
  organizationId: string,
  stored: User.User | undefined,
  since: string | undefined,
): boolean {
  const own = generations.get(organizationId);
  const isBefore = (time: string | undefined, second: number) =>
    time !== undefined && second * 1_000 <= Date.parse(time);
  if (own !== undefined) return own < User.generationOf(stored) || isBefore(since, issuedAt + clockSkewSeconds);
  // A token without the organization counts only if it was made in a later second.
  return isBefore(stored?.generationSince, issuedAt);
}

/** The role on each document of the question. Undefined: none, or there is no such document. */
async function rolesOf(caller: Caller, question: Question, subjects: Subjects): Promise<(string | undefined)[]> {
  const [{ usePermissionProvider }, { defaultAccessType }] = await Promise.all([
    caller.setting("permissionProvider"),
    caller.setting("access"),
  ]);
  const [userId = ""] = question.userIds;
  const exists = (id: string) => subjects.documents.get(id) !== undefined;
  if (usePermissionProvider) {
    const { workspace, organizationId } = question;
    const refs = question.documentIds.map((documentId) => ({ workspace, organizationId, userId, documentId }));
    const answers = await ProviderAnswer.getMany(refs);
    if (answers.includes(undefined)) throw openFirst();
    return question.documentIds.map((id, index) => (exists(id) ? answers[index]?.accessRole : undefined));
  }
  const decisionOn = await loadGrants(question, asIfAllExisted(subjects), defaultAccessType, readGrantsOfUser);
  return [...subjects.documents.values()].map((document) => document && decisionOn(userId, document).accessRole);
}

/** The failure of each call without access. It does not say what exists. */
export const denied = () => new ApiError("PERMISSION_DENIED", "The user has no access to this, or it does not exist.");

const openFirst = () =>
  new ApiError("FAILED_PRECONDITION", "Open the document first: call permissions/get for it.", {
    details: { reason: openDocumentFirst },
  });

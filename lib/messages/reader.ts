// Whether a user may still get messages about a document. It is decided at each sending. The document must exist. The
// user must exist, have an address, and be allowed to read the document.
import { type AccessFields, fieldsOf } from "../access/access-fields.ts";
import { readGrantsOfUser } from "../access/read-grants.ts";
import { loadGrants, loadSubjects, type Resource } from "../access/resolve.ts";
import { resolverOf } from "../access/resolver.ts";
import * as User from "../store/access/user.ts";
import { documentByUid, type OwnedDocument } from "../store/content/document-by-uid.ts";
import type { Conversation } from "../store/messages/waiting-message.ts";
import * as Preference from "../store/notifications/preference.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";
import type { Again } from "./channel.ts";

export interface Reader {
  user: User.User;
  email: string;
  document: OwnedDocument;
  preference: Preference.StoredPreference | undefined;
  /** The user's access fields, which `context.access` of a notification can ask for. */
  fields(): Promise<AccessFields>;
}

/** `omitted`: why nothing is sent, in a sentence for the message list. */
export async function readerOf(
  { workspace }: WorkspaceRef,
  { organizationId, documentUid, userId }: Conversation,
): Promise<Reader | { omitted: string } | Again> {
  const document = await documentByUid({ workspace, documentUid });
  if (!document) return { omitted: "The document was deleted." };
  const { documentId } = document;
  const question = { workspace, organizationId, userIds: [userId], folderIds: [], documentIds: [documentId] };
  const [subjects, [preference], provider, access] = await Promise.all([
    loadSubjects(question),
    Preference.listOf({ workspace }, userId, [documentUid]),
    Setting.get({ workspace }, "permissionProvider"),
    Setting.get({ workspace }, "access"),
  ]);
  const user = subjects.users.get(userId);
  if (!User.isKnown(user)) return { omitted: "The user was removed from the organization." };
  if (!user.email) return { omitted: "The user has no e-mail address." };
  const resource = subjects.documents.get(documentId);
  if (resource?.documentUid !== documentUid) return { omitted: "The document was deleted." };
  const resolver = await resolverOf(question, subjects, provider, access.defaultAccessType);
  const { accessRole, isUndecided, access: onDocument = [] } = resolver.resource(userId, resource as Resource);
  // Nothing was decided, so the message is not lost.
  if (isUndecided) return { again: "The permission provider of the workspace gave no usable answer." };
  if (!accessRole) return { omitted: "The user has no access to the document." };
  const fields = async () => fieldsOf(user, provider.usePermissionProvider ? await onGrants() : onDocument);
  return { user, email: user.email, document, preference, fields };

  /** The permission provider decides on access without a look at the grants. */
  async function onGrants(): Promise<AccessFields> {
    const decide = await loadGrants(question, subjects, access.defaultAccessType, readGrantsOfUser);
    return decide(userId, resource as Resource).access ?? [];
  }
}

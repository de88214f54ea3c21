// A workspace that a user attacks. Each document has what bob wrote: the thread `a` with the comment `c`, the reaction
// `r`, the recording `v` and the editor `e`. He is present on it, and has the notification `n`.
import { vi } from "vitest";
import { documentsDataAdd } from "../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../functions/documents/documents-add.ts";
import { crdtUpdate } from "../../functions/editor-content/crdt-update.ts";
import { notificationsConfigSet } from "../../functions/notifications/notifications-config-set.ts";
import { organizationsAdd } from "../../functions/organizations/organizations-add.ts";
import { permissionsAdd } from "../../functions/permissions/permissions-add.ts";
import { presenceAdd } from "../../functions/presence/presence-add.ts";
import * as Setting from "../../lib/store/setting.ts";
import { type Credentials, must } from "./call.ts";
import { send } from "./notifications.ts";
import { requestsOn } from "./user-requests.ts";
import { newWorkspaceForUsers, tokenOf } from "./users.ts";
import { addDocuments, addFolders, onDocument, organizationId } from "./workspace.ts";

const from = { userId: "bob", name: "The bob", email: "bob@example.com" };

export interface Attacked {
  as: Credentials;
  /** Tokens. ann edits `d`, eve views it, and bob edits all documents. */
  ann: string;
  eve: string;
  bob: string;
}

/** Documents of the organization `o`: `d`, `hidden`, and `deep` in two folders. The organization `p` has a `d` too. */
export async function newAttacked(): Promise<Attacked> {
  const as = await newWorkspaceForUsers();
  await Setting.update({ workspace: as.apiKey }, "switches", { browser: true, live: true, notifications: true });
  // Nothing listens there: a message that cannot be sent never fails a call.
  vi.stubEnv("LIVE_HTTP_URL", "http://127.0.0.1:9/event");
  vi.stubEnv("LIVE_REALTIME_URL", "ws://127.0.0.1:9/event/realtime");
  await addFolders(as, { folderId: "f" });
  await addFolders(as, { folderId: "g", parentFolderId: "f" });
  await addDocuments(as, "g", "deep");
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "p" }] } });
  await must(documentsAdd, { as, data: { organizationId: "p", documents: [{ documentId: "d" }] } });
  const tokens = {
    ann: await tokenOf(as, "ann"),
    eve: await tokenOf(as, "eve", "viewer"),
    bob: await tokenOf(as, "bob"),
  };
  const resources = ["hidden", "deep"].map((id) => onDocument(id, { accessRole: "editor" }));
  await must(permissionsAdd, { as, data: { user: { userId: "bob" }, permissions: { resources } } });
  for (const documentId of ["d", "hidden", "deep"]) await fill(as, { organizationId, documentId });
  await fill(as, { organizationId: "p", documentId: "d" });
  const preference = { organizationId, documentIds: ["d"], userIds: ["bob"], config: { inbox: "NONE" } };
  await send(as, { notificationId: "n", displayBodyMessage: "Secret", notifyAll: false, notifyUsers: [from] });
  await must(notificationsConfigSet, { as, data: preference });
  return { as, ...tokens };
}

async function fill(as: Credentials, on: { organizationId: string; documentId: string }): Promise<void> {
  const annotation = { annotationId: "a", from, comments: [{ commentId: "c", from, text: "Secret" }] };
  const recordings = [{ recordingId: "v", from }];
  const features = { comments: [annotation], reactions: [{ reactionId: "r", from }], recordings };
  await must(documentsDataAdd, { as, data: { ...on, location: { id: "1" }, ...features } });
  await must(crdtUpdate, { as, data: { ...requestsOn("d")["crdt-update"], ...on } });
  await must(presenceAdd, { as, data: { ...on, users: [from] } });
}

// What a user with a token can ask of a document, for each endpoint that users may call.
import { endpoints } from "../../infra/deployables.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Credentials } from "./call.ts";
import { storedOf } from "./refusal.ts";

export const forUsers: readonly Endpoint[] = endpoints.filter(({ users }) => users !== undefined);

export const byName = (name: string) => endpoints.find((each) => each.name === name) as Endpoint;

const thread = { annotationId: "new", comments: [{ commentId: "1", text: "Hello" }] };

/** A Yjs update that inserts a text. */
const update = "AQEBAAQBB2NvbnRlbnQGUGxhbi4gAA==";

/** A valid request of each endpoint, without its organization. It names the thread `a` and its comment `c`. */
export const requestsOn = (documentId: string): Record<string, object> => ({
  "commentannotations-update": { documentId, annotationIds: ["a"], update: { status: "RESOLVED" } },
  "comments-add": { documentId, annotationId: "a", comments: [{ commentId: "new", text: "Hello" }] },
  "comments-delete": { documentId, annotationId: "a", commentIds: ["c"] },
  "comments-update": { documentId, annotationId: "a", commentId: "c", text: "Changed" },
  "crdt-add": { documentId, editorId: "new", data: "Hello", type: "text" },
  "crdt-get": { documentId, editorId: "e" },
  "crdt-list": { documentId },
  "crdt-update": { documentId, editorId: "e", update, type: "text" },
  "documents-data-add": { documentId, location: { id: "1" }, comments: [thread], reactions: [{ reactionId: "new" }] },
  "documents-data-delete": { documentId, kind: "comments", ids: ["a"] },
  "documents-data-get": { documentId, kind: "comments" },
  "live-close": { documentId },
  "live-open": { documentId },
  "notifications-config-get": { documentIds: [documentId] },
  "notifications-config-set": { documentIds: [documentId], config: { inbox: "MINE" } },
  "notifications-delete": { notificationIds: ["n"] },
  "notifications-get": {},
  "notifications-read": {},
  "permissions-get": { documentIds: [documentId] },
  "presence-add": { documentId },
  "presence-delete": { documentId },
  "presence-get": { documentId },
});

/** The endpoints whose requests name a document to which the caller needs access. */
export const onDocuments: readonly Endpoint[] = forUsers.filter(
  ({ name, users }) => users !== "self" && JSON.stringify(requestsOn("d")[name])?.includes('"d"'),
);

/** All stored items of a workspace by key, without its counts of calls and of calls that wait. */
export async function dataOf(as: Credentials): Promise<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(await storedOf(as)).filter(([key]) => !/#%(?:CALLS|SLOTS) /.test(key)));
}

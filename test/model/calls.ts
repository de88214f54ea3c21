// The steps of the model test. Each makes the same change on the service and on the model, and returns both results.

import { documentsDataAdd } from "../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../functions/documents/documents-add.ts";
import { documentsDelete } from "../../functions/documents/documents-delete.ts";
import { documentsMigrate } from "../../functions/documents/documents-migrate.ts";
import { crdtAdd } from "../../functions/editor-content/crdt-add.ts";
import { notificationsAdd } from "../../functions/notifications/notifications-add.ts";
import { presenceAdd } from "../../functions/presence/presence-add.ts";
import { presenceDelete } from "../../functions/presence/presence-delete.ts";
import { usersAdd } from "../../functions/users/users-add.ts";
import { usersDelete } from "../../functions/users/users-delete.ts";
import { type Credentials, call, must } from "../support/call.ts";
import { remove, update } from "../support/feature-data.ts";
import { type Feature, identityOf, type Kind, type Model } from "../support/model.ts";
import { notification } from "../support/notifications.ts";
import { give, onDocument, organizationId } from "../support/workspace.ts";
import type { Data, Step } from "./steps.ts";

type Calls = {
  [Name in Exclude<Step["do"], "work">]: (as: Credentials, model: Model, data: Data<Name>) => Promise<Outcome>;
};
/** What the service returned, and what it should return. */
type Outcome = [result: unknown, expected: unknown];

export const calls: Calls = {
  async addDocument(as, model, { documentId }) {
    const results = await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId }] } });
    return [results[documentId].success, model.addDocument(documentId) !== undefined];
  },

  async deleteDocuments(as, model, { ids }) {
    const results = await must(documentsDelete, { as, data: { organizationId, documentIds: ids } });
    const deleted = ids.map((id) => results[id].message === "Document deleted.");
    return [deleted, ids.map((id) => model.documents.delete(id))];
  },

  async addFeature(as, model, { documentId, location, kind, id, by, also }) {
    const feature = featureOf(kind, id, by, also);
    const reply = await call(documentsDataAdd, {
      as,
      data: { organizationId, documentId, location, [kind]: [feature.record] },
    });
    const document = model.documents.get(documentId);
    const expected = document ? model.addFeature(document, location, feature) : "NOT_FOUND";
    return [reply.error?.status ?? reply.data[kind][id].message, expected];
  },

  async addMany(as, model, { documentId, location, by }) {
    const features = Array.from({ length: 55 }, (_, index) => featureOf("reactions", `${by}${index}`, by, by));
    const data = { documentId, location, reactions: features.map(({ record }) => record) };
    const { error } = await call(documentsDataAdd, { as, data: { organizationId, ...data } });
    const document = model.documents.get(documentId);
    if (document) for (const feature of features) model.addFeature(document, location, feature);
    return [error?.status, document ? undefined : "NOT_FOUND"];
  },

  async updateLocation(as, model, { documentId, from, to, merge }) {
    const { error } = await update(as, from, to, { documentId, merge });
    const document = model.documents.get(documentId);
    if (!document) return [error?.status, "NOT_FOUND"];
    return [error?.status, model.updateLocation(document, from, to, merge) ? undefined : "ALREADY_EXISTS"];
  },

  async removeLocation(as, model, { documentId, location }) {
    const { error } = await remove(as, location, { documentId, organizationId: undefined });
    const locations = model.documents.get(documentId)?.locations;
    locations?.delete(identityOf(location));
    return [error, undefined];
  },

  async migrate(as, model, { documentId, newDocumentId }) {
    const { error, data } = await call(documentsMigrate, { as, data: { organizationId, documentId, newDocumentId } });
    const document = model.documents.get(documentId);
    if (documentId === newDocumentId) return [error?.status, "INVALID_ARGUMENT"];
    if (!document) return [error?.status, "NOT_FOUND"];
    if (model.documents.has(newDocumentId)) return [error?.status, "ALREADY_EXISTS"];
    model.migrations.set(data.migrationId, { document, oldId: documentId, newId: newDocumentId, isOver: false });
    return [error, undefined];
  },

  async notify(as, model, { documentId, notificationId, named, verify, createDocument, notifyAll }) {
    const notifyUsers = named.map((userId) => ({ userId }));
    const more = { documentId, notificationId, notifyUsers, notifyAll, createDocument, verifyUserPermissions: verify };
    const { error, data } = await call(notificationsAdd, { as, data: notification(more) });
    const isRepeated = data?.message === "The notification was added before.";
    const same = model.notes.filter(({ id }) => id === notificationId);
    if (same.some((note) => model.isLive(note.document))) return [isRepeated, true];
    // The id of a deleted document's notification stays taken until the purge.
    if (isRepeated) return [same.length > 0, true];
    const document = model.documents.get(documentId) ?? (createDocument ? model.addDocument(documentId) : undefined);
    if (!document) return [error?.status, "NOT_FOUND"];
    const rest = { at: new Date().toISOString(), step: "named" as const, recipients: new Set<string>() };
    model.notes.push({ id: notificationId, document, named, notifyAll, verify, ...rest });
    return [error, undefined];
  },

  async addText(as, model, { documentId, editorId, text }) {
    const data = { organizationId, documentId, editorId, type: "text", data: text };
    const { error } = await call(crdtAdd, { as, data });
    const texts = model.documents.get(documentId)?.texts;
    if (!texts) return [error?.status, "NOT_FOUND"];
    if (texts.has(editorId)) return [error?.status, "ALREADY_EXISTS"];
    texts.set(editorId, text);
    return [error, undefined];
  },

  async enter(as, model, { documentId, ids, lifetimeSeconds }) {
    const data = { organizationId, documentId, users: ids.map((userId) => ({ userId })), lifetimeSeconds };
    const { error } = await call(presenceAdd, { as, data });
    const presence = model.documents.get(documentId)?.presence;
    for (const id of ids) presence?.set(id, Math.ceil(Date.now() / 1_000) + lifetimeSeconds);
    return [error?.status, presence ? undefined : "NOT_FOUND"];
  },

  async leave(as, model, { documentId, ids }) {
    const { error } = await call(presenceDelete, { as, data: { organizationId, documentId, userIds: ids } });
    for (const id of ids) model.documents.get(documentId)?.presence.delete(id);
    return [error, undefined];
  },

  async addUser(as, model, { userId, documentId, role }) {
    const data = { organizationId, documentId, users: [{ userId, accessRole: role }] };
    const results = await must(usersAdd, { as, data });
    const user = model.user(userId);
    const keepsRole = model.hasGrant(userId, documentId);
    const isDone = !user.hasProfile || !keepsRole;
    user.hasProfile = true;
    if (!keepsRole && documentId) model.grant(userId, documentId, role);
    else if (!keepsRole) user.role = role;
    return [results[userId].success, isDone];
  },

  async deleteUser(as, model, { userId }) {
    const results = await must(usersDelete, { as, data: { organizationId, userIds: [userId] } });
    const isKnown = model.isKnown(userId);
    const { generation } = model.user(userId);
    if (!isKnown) return [results[userId].message === "User deleted.", false];
    model.users.set(userId, { generation: generation + 1, since: new Date().toISOString(), hasProfile: false });
    for (const { recipients } of model.notes) recipients.delete(userId);
    for (const { presence } of model.documents.values()) presence.delete(userId);
    return [results[userId].message === "User deleted.", true];
  },

  async grant(as, model, { userId, documentId, role }) {
    await give(as, userId, onDocument(documentId, { accessRole: role }));
    model.grant(userId, documentId, role);
    return [0, 0];
  },
};

const idFields = { comments: "annotationId", reactions: "reactionId", recordings: "recordingId" };
let count = 0;

/** Each has another `metadata.count`, so that a replacement is visible. */
function featureOf(kind: Kind, id: string, by: string, also: string): Feature {
  const record = { [idFields[kind]]: id, from: { userId: by }, metadata: { count: count++ } };
  if (kind !== "comments") return { kind, id, record, participants: [by] };
  return { kind, id, record: { ...record, assignedTo: { userId: also } }, participants: [...new Set([by, also])] };
}

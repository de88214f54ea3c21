// What callers can read, from the service and from the model in the same shape, and counts of the items in the table.

import { documentsGet } from "../../functions/documents/documents-get.ts";
import { crdtGet } from "../../functions/editor-content/crdt-get.ts";
import { notificationsGet } from "../../functions/notifications/notifications-get.ts";
import { permissionsGet } from "../../functions/permissions/permissions-get.ts";
import { presenceGet } from "../../functions/presence/presence-get.ts";
import type { Item } from "../../lib/dynamodb/key.ts";
import { locationDataPartition } from "../../lib/store/content/location.ts";
import { type DocumentUid, documentDataPartition, type LocationUid } from "../../lib/store/refs.ts";
import { type Credentials, call } from "../support/call.ts";
import { exportOf } from "../support/feature-data.ts";
import type { Kind, Model } from "../support/model.ts";
import { inboxOf } from "../support/notifications.ts";
import { allPages } from "../support/paging.ts";
import { organizationId } from "../support/workspace.ts";
import { documentIds, editorIds, userIds } from "./steps.ts";

const kinds: Kind[] = ["comments", "reactions", "recordings"];

interface Reading {
  documents: string[];
  /** By document and editor. */
  texts: Record<string, string | undefined>;
  presence: Record<string, string[]>;
  /** By user: role on each document that exists. */
  roles: Record<string, Record<string, string | undefined>>;
  users: Record<string, UserReading>;
}

interface UserReading {
  profile: { role: string | undefined } | null;
  features: Record<Kind, object[]>;
  /** Id and document, newest first. */
  notifications: string[];
  unreadCount: number;
}

const each = <Id extends string, T>(ids: readonly Id[], of: (id: Id) => T) =>
  Object.fromEntries(ids.map((id) => [id, of(id)])) as Record<Id, T>;

async function eachOf<T>(ids: readonly string[], of: (id: string) => Promise<T>): Promise<Record<string, T>> {
  return Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await of(id)] as const)));
}

const pairs = documentIds.flatMap((id) => editorIds.map((editorId) => `${id} ${editorId}`));

/** Feature data in the order in which it was made. */
const inOrder = <T extends { metadata: { count: number } }>(features: T[]) =>
  features.sort((one, other) => one.metadata.count - other.metadata.count);

export async function read(as: Credentials): Promise<Reading> {
  const pages = (endpoint: { name: string }, member: string, question: object) =>
    allPages({ endpoint, member }, as, { organizationId, pageSize: 2, ...question });
  const documents = (await pages(documentsGet, "documents", {})).map(({ documentId }) => documentId as string);
  const permissions = await call(permissionsGet, { as, data: { organizationId, userIds, documentIds } });
  const resolved = permissions.data ?? permissions.error?.details;
  return {
    documents: documents.sort(),
    texts: await eachOf(pairs, async (pair) => {
      const [documentId, editorId] = pair.split(" ");
      return (await call(crdtGet, { as, data: { organizationId, documentId, editorId } })).data?.data;
    }),
    presence: await eachOf(documents, async (documentId) => {
      const found = await pages(presenceGet, "users", { documentId });
      return found.map(({ userId }) => userId as string).sort();
    }),
    roles: each(userIds, (id) => each(documents, (documentId) => resolved[id].documents[documentId].accessRole)),
    users: await eachOf(userIds, async (userId) => {
      const { profile, notifications, ...features } = await exportOf(as, userId);
      const shown = await pages(notificationsGet, "notifications", { userId });
      const ids = shown.map((note) => `${note.notificationId} ${note.documentId}`);
      const exported = notifications.map((note: Record<string, string>) => `${note.notificationId} ${note.documentId}`);
      return {
        profile: profile && { role: (profile as { accessRole?: string }).accessRole },
        features: each(kinds, (kind) => inOrder(features[kind])),
        notifications: ids.join() === exported.reverse().join() ? ids : [...ids, "exported:", ...exported],
        unreadCount: (await inboxOf(as, userId)).unreadCount,
      };
    }),
  };
}

export function readModel(model: Model): Reading {
  const documents = [...model.documents.keys()].sort();
  const now = Date.now() / 1_000;
  return {
    documents,
    texts: each(pairs, (pair) => {
      const [documentId = "", editorId = ""] = pair.split(" ");
      return model.documents.get(documentId)?.texts.get(editorId);
    }),
    presence: each(documents, (id) => {
      const present = [...(model.documents.get(id)?.presence ?? [])].filter(([, end]) => now < end);
      return present.map(([userId]) => userId).sort();
    }),
    roles: each(userIds, (userId) => each(documents, (id) => roleOf(model, userId, id))),
    users: each(userIds, (userId) => {
      const { hasProfile, role } = model.user(userId);
      const notes = model.liveNotes().filter(({ recipients }) => recipients.has(userId));
      return {
        profile: hasProfile ? { role } : null,
        features: each(kinds, (kind) => featuresOf(model, userId, kind)),
        notifications: notes.map(({ id, document }) => `${id} ${document.id}`).reverse(),
        unreadCount: notes.length,
      };
    }),
  };
}

function roleOf(model: Model, userId: string, documentId: string): string | undefined {
  const document = model.documents.get(documentId);
  return document && model.roleOn(userId, document);
}

function featuresOf(model: Model, userId: string, kind: Kind): object[] {
  const found = [...model.documents.values()].flatMap(({ id: documentId, locations }) =>
    [...locations.values()].flatMap(({ location, features }) =>
      features
        .filter((feature) => feature.kind === kind && feature.participants.includes(userId))
        .map(({ record }) => ({ ...(record as never as Counted), organizationId, documentId, location })),
    ),
  );
  return inOrder(found);
}

type Counted = { metadata: { count: number } };

/** Entities whose items are in the partition of a location. */
const locationEntities = ["feature", "former-participants", "merged-location"];

/**
 * Counts the items that the model counts too, and lists the orphans: items whose document or location does not exist.
 */
export function remains(workspace: string, items: readonly Item[]) {
  const byEntity = Object.groupBy(items, ({ entity }) => String(entity));
  const count = (entity: string) => byEntity[entity]?.length ?? 0;
  const documents = byEntity.document ?? [];
  const documentUids = new Set(documents.map(({ documentUid }) => documentUid));
  const nodes = (byEntity["location-node"] ?? []) as never as Node[];
  const locationUids = new Set<unknown>(nodes.map(({ locationUid }) => locationUid));
  const locationPartitions = new Set(nodes.map((node) => locationDataPartition({ ...node, workspace })));
  const partitionOf = (documentUid: unknown) =>
    documentDataPartition({ workspace, documentUid: documentUid as DocumentUid });
  const documentPartitions = [...documentUids].map(partitionOf);
  const isOrphan = ({ pk, entity, documentUid, locationUid }: Item) => {
    const isDocumentData = pk.startsWith(partitionOf(""));
    if (isDocumentData && !documentPartitions.some((own) => pk === own || pk.startsWith(`${own}#`))) return true;
    if (locationEntities.includes(String(entity)) && !locationPartitions.has(pk)) return true;
    if (entity === "migration" || documentUid === undefined) return false;
    return !documentUids.has(documentUid) || (locationUid !== undefined && !locationUids.has(locationUid));
  };
  return {
    orphans: items.filter(isOrphan).map(({ pk, sk }) => `${pk} ${sk}`),
    documents: [
      documents.filter(({ createdAt }) => createdAt !== undefined).length,
      count("document-locator"),
      count("folder-child"),
    ],
    features: count("feature"),
    participations: count("participation"),
    notifications: [count("notification"), count("notification-pointer")],
    entries: count("inbox-entry"),
    texts: count("editor-content"),
  };
}

type Node = { documentUid: DocumentUid; locationUid: LocationUid };

export function remainsOfModel(model: Model): ReturnType<typeof remains> {
  const documents = [...model.documents.values()];
  const features = documents.flatMap(({ locations }) => [...locations.values()].flatMap((each) => each.features));
  const notes = model.liveNotes();
  return {
    orphans: [],
    documents: [documents.length, documents.length, documents.length],
    features: features.length,
    participations: features.flatMap(({ participants }) => participants).length,
    notifications: [notes.length, notes.length],
    entries: notes.flatMap(({ recipients }) => [...recipients]).length,
    texts: documents.flatMap(({ texts }) => [...texts]).length,
  };
}

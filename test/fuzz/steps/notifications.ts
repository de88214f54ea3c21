// Steps on notifications and the users' preferences.
import type { Document, Note } from "../../support/model.ts";
import type { Random } from "../../support/random.ts";
import { accessTo } from "../access.ts";
import type { Reply } from "../envelope.ts";
import { anything, fails, ok, type Reading, type Step, successes, whole } from "../step.ts";
import type { Channel, Preference, World } from "../world.ts";

const levels = ["ALL", "MINE", "NONE"] as const;
const channels: Channel[] = ["inbox", "email", "slack"];

function levelOf(world: World, userId: string, channel: Channel, document?: Document): string {
  const own = document && world.documentPreferences.get(document)?.get(userId);
  return own?.[channel] ?? world.preferences.get(userId)?.[channel] ?? (channel === "inbox" ? "ALL" : "MINE");
}

interface Request {
  documentId: string;
  notificationId: string;
  named: string[];
  notifyAll: boolean;
  verify: boolean;
}

export function notify(world: World, random: Random): Step {
  const { organizationId } = world;
  const live = world.liveNotes();
  const isRepeat = live.length > 0 && random.chance(0.1);
  const notificationId = isRepeat ? random.from(live).id : `n${world.newCount()}`;
  const documentId = world.documentId(random);
  const named = random.some(world.userIds, 2);
  const [notifyAll, verify, createDocument] = [random.chance(0.5), random.chance(0.3), random.chance(0.3)];
  const request = { documentId, notificationId, named, notifyAll, verify };
  const noteOf = () => world.liveNotes().find(({ id }) => id === notificationId);
  const data = {
    organizationId,
    documentId,
    createDocument,
    notificationId,
    actionUser: { userId: named[0] },
    displayHeadlineMessageTemplate: "{actionUser} has news",
    displayBodyMessage: "News.",
    notifyUsers: named.map((userId) => ({ userId })),
    notifyAll,
    verifyUserPermissions: verify,
  };
  return {
    endpoint: "notifications-add",
    data,
    observe: whole(({ message }) => (message.includes("before") ? "repeated" : "new")),
    expect() {
      if (noteOf()) return ok([["data", "repeated"]]);
      return world.documents.has(documentId) || createDocument ? ok([["data", "new"]]) : fails("NOT_FOUND");
    },
    apply() {
      if (noteOf()) return;
      const document = world.documents.get(documentId) ?? (createDocument ? world.addDocument(documentId) : undefined);
      if (document) addNote(world, request, document);
    },
    async follow(client) {
      const note = noteOf();
      const waiting = [...(note?.recipients ?? [])];
      return client.until(`all of ${JSON.stringify(waiting)} have the notification ${notificationId}`, async () => {
        const userId = waiting.at(-1);
        if (userId === undefined) return true;
        const data = await client.read("notifications-get", { organizationId, userId });
        if (!data) return undefined;
        if (data.notifications.some((each: { notificationId: string }) => each.notificationId === notificationId)) {
          waiting.pop();
        }
        return waiting.length === 0;
      });
    },
  };
}

function addNote(world: World, { notificationId: id, named, notifyAll, verify }: Request, document: Document): void {
  const members = notifyAll ? world.userIds.filter((userId) => world.isKnown(userId)) : [];
  const isWanted = (userId: string) => {
    const level = levelOf(world, userId, "inbox", document);
    if (level === "NONE" || (level === "MINE" && !named.includes(userId))) return false;
    return !verify || accessTo(world, userId, "document", document.id)?.accessRole !== undefined;
  };
  const recipients = new Set([...named, ...members].filter(isWanted));
  const note: Note = { id, at: "", document, named, notifyAll, verify, step: "over", recipients };
  world.notes.push(note);
  if (!notifyAll) {
    // With no recipient expected, the trial does not wait for the worker. So the worker can run after a named user has
    // got access or other preferences.
    if (recipients.size === 0) world.optional.set(note, new Set(named));
    return;
  }
  // With no recipient expected, the worker can run at any later time.
  const isSeen = members.some((userId) => recipients.has(userId));
  world.optional.set(note, new Set(isSeen ? [] : world.userIds));
}

/** What the user surely has, newest first. */
const notesOf = (world: World, userId: string) =>
  world
    .liveNotes()
    .filter(({ recipients }) => recipients.has(userId))
    .reverse();

const mayHave = (world: World, userId: string, notificationId: string) =>
  world.notes.some((note) => note.id === notificationId && world.optional.get(note)?.has(userId));

export function getNotifications(world: World, random: Random): Step {
  const userId = random.from(world.userIds);
  const isUncertain = () => world.liveNotes().some((note) => world.optional.get(note)?.has(userId));
  const observe = ({ data }: Reply): Reading => {
    const all = data.notifications as { notificationId: string; documentId: string; isRead: boolean }[];
    const sure = all.filter(({ notificationId }) => !mayHave(world, userId, notificationId));
    const shown = sure.map(({ notificationId, documentId, isRead }) => [notificationId, documentId, isRead]);
    return new Map<string, unknown>([
      ["notifications", shown],
      ["unread", data.unreadCount],
    ]);
  };
  return {
    endpoint: "notifications-get",
    data: { organizationId: world.organizationId, userId, pageSize: random.pageSize() },
    lists: ["notifications"],
    observe,
    expect() {
      const notes = notesOf(world, userId);
      const isRead = (note: Note) => world.readBy.get(note)?.has(userId) ?? false;
      const unread = notes.filter((note) => !isRead(note)).length;
      return ok([
        ["notifications", notes.map((note) => [note.id, note.document.id, isRead(note)])],
        ["unread", isUncertain() ? anything : unread],
      ]);
    },
  };
}

export function readNotifications(world: World, random: Random): Step {
  const userId = random.from(world.userIds);
  const { organizationId } = world;
  const all = world.notes.map(({ id }) => id);
  const notificationIds = random.chance(0.6) ? random.some([...all, "none"], 2) : undefined;
  const isOwned = (id: string) =>
    mayHave(world, userId, id) ? anything : notesOf(world, userId).some((note) => note.id === id);
  return {
    endpoint: "notifications-read",
    data: { organizationId, userId, notificationIds },
    observe: successes,
    expect: () => ok((notificationIds ?? []).map((id) => [id, isOwned(id)])),
    apply() {
      for (const note of notesOf(world, userId)) {
        if (notificationIds && !notificationIds.includes(note.id)) continue;
        world.readBy.set(note, (world.readBy.get(note) ?? new Set<string>()).add(userId));
      }
    },
  };
}

export function setPreferences(world: World, random: Random): Step {
  const { organizationId } = world;
  const userIds = random.some(world.userIds, 2);
  const documentIds = random.chance(0.5) ? random.some(world.documentIds, 2) : [];
  const config = Object.fromEntries(random.some(channels, 2).map((channel) => [channel, random.from(levels)]));
  const isKnown = (id: string) => world.isKnown(id);
  const hasAll = () => documentIds.every((id) => world.documents.has(id));
  return {
    endpoint: "notifications-config-set",
    data: { organizationId, documentIds, userIds, config },
    observe: successes,
    expect: () => ok(userIds.map((id) => [id, isKnown(id) && hasAll()])),
    apply() {
      for (const userId of userIds.filter(isKnown)) {
        if (documentIds.length === 0) merge(world.preferences, userId, config);
        for (const document of documentIds.flatMap((id) => world.documents.get(id) ?? [])) {
          const stored = world.documentPreferences.get(document) ?? new Map<string, Preference>();
          world.documentPreferences.set(document, stored);
          merge(stored, userId, config);
        }
      }
    },
  };
}

const merge = (stored: Map<string, Preference>, userId: string, config: Preference) =>
  stored.set(userId, { ...stored.get(userId), ...config });

export function getPreferences(world: World, random: Random): Step {
  const userId = random.from(world.userIds);
  const documentIds = random.some(world.documentIds, 3);
  type Entry = { config: Preference; metadata: { documentId?: string } };
  return {
    endpoint: "notifications-config-get",
    data: { organizationId: world.organizationId, userId, documentIds, getOrganizationConfig: true },
    observe: whole((entries: Entry[]) =>
      entries.map(({ config, metadata }) => [metadata.documentId ?? null, ...channels.map((each) => config[each])]),
    ),
    expect() {
      const entries = [...documentIds, null].map((id) => {
        const document = id === null ? undefined : world.documents.get(id);
        return [id, ...channels.map((channel) => levelOf(world, userId, channel, document))];
      });
      return ok([["data", entries]]);
    },
  };
}

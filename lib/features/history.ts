// What one user has a part in, as pages of what lives: feature data by kind, and notifications.
import { visible } from "../notifications/visible.ts";
import type { FeatureKind } from "../store/data-keys.ts";
import * as Feature from "../store/feature.ts";
import * as Inbox from "../store/inbox.ts";
import * as Notification from "../store/notification.ts";
import type { Liveness } from "./liveness.ts";
import type { Source } from "./page-of-live.ts";

interface Whose {
  workspace: string;
  organizationId: string;
  userId: string;
}

/** Items of one kind, each as it was given, with where it is now. */
export function featuresOf(
  { workspace, organizationId, userId }: Whose,
  kind: FeatureKind,
  live: Liveness,
): Source<Feature.HistoryEntry> {
  return {
    read: (after, limit) =>
      Feature.history(workspace, organizationId, userId, kind, { limit, ...(after !== undefined && { after }) }),

    mayLive: async (entries) => (await placesOf(entries)).map((place) => place !== undefined),

    async load(entries) {
      const [places, items] = await Promise.all([placesOf(entries), Feature.getMany(workspace, entries)]);
      return items.map((item, index) => {
        const place = places[index];
        // An entry can outlive the user's part in the item.
        if (!item?.participants.includes(userId) || !place) return undefined;
        const bytes = Buffer.byteLength(item.record) + Buffer.byteLength(JSON.stringify(place));
        return { shown: { ...JSON.parse(item.record), ...place }, bytes };
      });
    },
  };

  async function placesOf(entries: Feature.HistoryEntry[]) {
    return Promise.all(
      entries.map(async ({ uid, luid }) => {
        const [document, location] = await Promise.all([live.document(uid), live.location(uid, luid)]);
        return document && location && { ...document, location };
      }),
    );
  }
}

/** Notifications, each as the user sees it, with where its document is now. */
export function notificationsOf(
  { workspace, organizationId, userId }: Whose,
  live: Liveness,
): Source<Notification.Entry & { sk: string }> {
  return {
    read: (after, limit) => Inbox.oldest(workspace, organizationId, userId, limit, after),

    mayLive: async (entries) =>
      (await Promise.all(entries.map(({ uid }) => live.document(uid)))).map((document) => document !== undefined),

    async load(entries) {
      const contents = await Notification.contentsOf(workspace, entries);
      return Promise.all(
        entries.map(async ({ uid, notificationId, at }, index) => {
          const [document, content] = [await live.document(uid), contents[index]];
          if (!document || content === undefined) return undefined;
          const shown = { notificationId, ...document, createdAt: at, ...visible(JSON.parse(content), { userId }) };
          return { shown, bytes: Buffer.byteLength(JSON.stringify(shown)) };
        }),
      );
    },
  };
}

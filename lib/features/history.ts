// What one user has a part in, as pages of what lives: feature data by kind, and notifications.
import type { FeatureKind } from "../store/data-keys.ts";
import * as Feature from "../store/feature.ts";
import * as UserNotification from "../store/user-notification.ts";
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

/** Notifications, as they are stored. */
export function notificationsOf(
  { workspace, organizationId, userId }: Whose,
  live: Liveness,
): Source<UserNotification.Entry> {
  return {
    read: (after, limit) =>
      UserNotification.page(workspace, organizationId, userId, { limit, ...(after !== undefined && { after }) }),

    mayLive: async (entries) => entries.map(() => true),

    async load(entries) {
      const contents = await UserNotification.contentsOf(workspace, entries);
      return Promise.all(
        contents.map(async (content, index) => {
          const { documentId } = content ?? {};
          const said = documentId === undefined ? undefined : { organizationId, documentId };
          const document = content && (await live.document(entries[index]?.uid as string, said));
          if (!document) return undefined;
          const shown = { ...content, ...document };
          return { shown, bytes: Buffer.byteLength(JSON.stringify(shown)) };
        }),
      );
    },
  };
}

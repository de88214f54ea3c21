// One user's feature data, by kind, and notifications, as sources for `pageOfLive`.
import { sentBytes } from "../http/reply-size.ts";
import { type InvolvingEntry, notificationsInvolving } from "../notifications/involving.ts";
import { visibleTo } from "../notifications/visible.ts";
import { hasEnded } from "../retention.ts";
import type { FeatureKind } from "../schema/feature-kinds.ts";
import * as Feature from "../store/feature.ts";
import * as Notification from "../store/notification.ts";
import * as Participation from "../store/participation.ts";
import type { UserRef } from "../store/refs.ts";
import type { Liveness } from "./liveness.ts";
import type { Source } from "./page-of-live.ts";

/** Items of one kind, as they were added, each with its current document and location. */
export function featuresOf(
  user: UserRef,
  kind: FeatureKind,
  live: Liveness,
): Source<Participation.Participation & { sk: string }> {
  return {
    read: (limit, from) => Participation.page(user, kind, limit, from),

    canBeLive: async (entries) => (await placesOf(entries)).map((place) => place !== undefined),

    async load(entries) {
      const [places, items] = await Promise.all([placesOf(entries), Feature.getMany(user, entries)]);
      return items.map((item, index) => {
        const place = places[index];
        // The entry can still exist after the user has stopped being a participant.
        if (!item?.participants.includes(user.userId) || !place) return undefined;
        const bytes = sentBytes(item.record) + sentBytes(JSON.stringify(place));
        return { exported: { ...JSON.parse(item.record), ...place }, bytes };
      });
    },
  };

  async function placesOf(entries: Participation.Participation[]) {
    return Promise.all(
      entries.map(async (entry) => {
        const [document, location] = await Promise.all([live.document(entry), live.location(entry)]);
        return document && location && { ...document, location };
      }),
    );
  }
}

/** Notifications that the user received or caused, as the user sees them, with the current ids of their documents. */
export function notificationsOf(
  user: UserRef,
  generation: () => Promise<number>,
  live: Liveness,
): Source<InvolvingEntry> {
  return {
    read: async (limit, from) => notificationsInvolving({ ...user, generation: await generation() }, limit, from),

    canBeLive: async (entries) =>
      (await Promise.all(entries.map((entry) => (hasEnded(entry) ? undefined : live.document(entry))))).map(
        (document) => document !== undefined,
      ),

    async load(entries) {
      const contents = await Notification.contentsOf(user, entries);
      return Promise.all(
        entries.map(async (entry, index) => {
          const [document, content] = [await live.document(entry), contents[index]];
          if (!document || content === undefined) return undefined;
          const { notificationId, at } = entry;
          const exported = { notificationId, ...document, createdAt: at, ...visibleTo(user, JSON.parse(content)) };
          return { exported, bytes: sentBytes(JSON.stringify(exported)) };
        }),
      );
    },
  };
}

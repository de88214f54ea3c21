// One user's feature data, by kind, as lists.
import type { List, Position } from "../dynamodb/page.ts";
import { itemsOf } from "../dynamodb/sources.ts";
import { sentSize } from "../http/envelope.ts";
import type { FeatureKind } from "../schema/feature-kinds.ts";
import * as Feature from "../store/features/feature.ts";
import * as Participation from "../store/features/participation.ts";
import type { UserRef } from "../store/refs.ts";
import type { Liveness } from "./liveness.ts";

/** Items of one kind, as they were added, each with its current document and location. */
export function featuresOf(
  user: UserRef,
  kind: FeatureKind,
  live: Liveness,
): List<Participation.Participation & Position, object> {
  return {
    read: itemsOf(Participation.participationEntity, { ...user, kind }),

    canShow: async (entries) => (await placesOf(entries)).map((place) => place !== undefined),

    async show(entries) {
      const [places, items] = await Promise.all([placesOf(entries), Feature.getMany(user, entries)]);
      return items.map((item, index) => {
        const place = places[index];
        // The entry can still exist after the user has stopped being a participant.
        if (!item?.participants.includes(user.userId) || !place) return undefined;
        return { ...JSON.parse(item.record), ...place };
      });
    },

    sizeOf: sentSize,
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

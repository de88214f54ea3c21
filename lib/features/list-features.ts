// Lists the feature data of a document and kind as a source for `pageOfLive` (DECISIONS.md#list-of-feature-data).
import { pageOf } from "../dynamodb/page.ts";
import type { Source } from "../dynamodb/page-of-live.ts";
import { sentBytes } from "../http/reply-size.ts";
import type { FeatureKind } from "../schema/feature-kinds.ts";
import { identityOf, type Location } from "../schema/location.ts";
import * as LocationStore from "../store/content/location.ts";
import * as Feature from "../store/features/feature.ts";
import * as FeatureList from "../store/features/feature-list.ts";
import type { LocationUid } from "../store/refs.ts";
import type { FoundDocument } from "./find-document.ts";
import { newLiveness } from "./liveness.ts";

export interface FeatureQuery {
  kind: FeatureKind;
  filters: FeatureList.FeatureFilters;
  isNewestFirst: boolean;
  /** Only items of this location. */
  location?: Location | undefined;
  /** Only these items. */
  ids?: readonly string[] | undefined;
}

type Entry = FeatureList.FeatureEntry & { sk: string };

export function featuresIn(document: FoundDocument, query: FeatureQuery): Source<Entry> {
  const { kind, filters, isNewestFirst, location, ids } = query;
  const { organizationId, documentId } = document;
  const live = newLiveness(document);
  const matches = FeatureList.matching(filters);
  let members: Promise<ReadonlySet<LocationUid> | undefined> | undefined;
  return {
    read: (limit, from) => (ids ? pageOfNamed(ids, limit, from) : pageOfList(limit, from)),

    async canBeLive(entries) {
      members ??= location ? membersOf(document, location) : Promise.resolve(undefined);
      const among = await members;
      const isWanted = (entry: Entry) => matches(entry) && (!among || among.has(entry.locationUid));
      return Promise.all(entries.map(async (entry) => isWanted(entry) && (await live.location(entry)) !== undefined));
    },

    async load(entries) {
      const items = await Feature.getMany(document, entries);
      return Promise.all(
        items.map(async (item, index) => {
          const entry = entries[index] as Entry;
          const place = await live.location(entry);
          // An item that was deleted and added again meanwhile has another entry.
          if (!item || !place || item.position !== entry.position) return undefined;
          const exported = { ...JSON.parse(item.record), organizationId, documentId, location: place };
          return { exported, bytes: sentBytes(JSON.stringify(exported)) };
        }),
      );
    },
  };

  function pageOfList(limit: number, from: string | undefined) {
    const order = { isNewestFirst, above: filters.createdAfter };
    return FeatureList.page(document, kind, order, limit, from);
  }

  /** In the order of the list. */
  async function pageOfNamed(names: readonly string[], limit: number, from: string | undefined) {
    const entries = (await FeatureList.entriesOf(document, kind, names)) as Entry[];
    const sorted = entries.toSorted((one, other) => (one.sk < other.sk === isNewestFirst ? 1 : -1));
    const start = from === undefined ? 0 : sorted.findIndex(({ sk }) => (isNewestFirst ? sk < from : sk > from));
    const rest = start < 0 ? [] : sorted.slice(start);
    return pageOf(rest.slice(0, limit), rest.length > limit ? rest[limit - 1]?.sk : undefined);
  }
}

/** The internal ids of the location's data; none if there is no such location. */
async function membersOf(document: FoundDocument, location: Location): Promise<ReadonlySet<LocationUid>> {
  const pointer = await LocationStore.pointer(document, identityOf(location));
  return new Set(pointer ? await LocationStore.members(document, pointer) : []);
}

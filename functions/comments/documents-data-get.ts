import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { existingDocument } from "../../lib/content/existing.ts";
import { fillPage, firstOf, type List, type Position, type Source } from "../../lib/dynamodb/page.ts";
import { inRange } from "../../lib/dynamodb/sources.ts";
import type { FoundDocument } from "../../lib/features/find-document.ts";
import { newLiveness } from "../../lib/features/liveness.ts";
import { sentSize } from "../../lib/http/envelope.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { Filters } from "../../lib/schema/feature-filters.ts";
import type { FeatureKind } from "../../lib/schema/feature-kinds.ts";
import { Exported, Kind } from "../../lib/schema/features.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { identityOf, Location } from "../../lib/schema/location.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { distinct, ids, optional } from "../../lib/schema/primitives.ts";
import * as LocationStore from "../../lib/store/content/location.ts";
import * as Feature from "../../lib/store/features/feature.ts";
import * as FeatureList from "../../lib/store/features/feature-list.ts";
import { listTime } from "../../lib/store/features/feature-list.ts";
import type { LocationUid } from "../../lib/store/refs.ts";

/** After this time a page ends with the items that it has. */
const pageMsMax = 15_000;
/** Most bytes of the page as it is sent (DECISIONS.md#sizes). */
const bytesMax = 4_000_000;

export const documentsDataGet = endpoint({
  name: "documents-data-get",
  path: "/v2/organizations/documents/data/get",
  summary: "List comments, reactions or recordings",
  description: "List the comments, reactions or recordings of a document: all, of one location, by id or with filters.",
  users: "view",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: OrganizationId,
    documentId: DocumentId,
    kind: Kind,
    location: optional(Location).check(z.describe("Only the items of this location. Absent: those of all locations.")),
    ids: optional(ids(100)).check(z.describe("Only the items with these ids. Absent: all.")),
    filters: optional(Filters),
    order: optional(
      z
        .enum(["newest", "oldest"], 'Must be "newest" or "oldest".')
        .check(z.describe("By `createdAt` as first stored, then by id. Default: newest first.")),
    ),
    ...pageRequest,
  }),
  example: {
    organizationId: "acme",
    documentId: "plan",
    kind: "comments",
    filters: { status: ["OPEN"], assignedTo: "bob" },
    order: "newest",
    pageSize: 20,
  },
  reply: z.object({
    items: z
      .array(z.union([Exported.reactions, Exported.recordings, Exported.comments]))
      .check(z.describe("The items of this page, of the kind of the request.")),
    ...pageReply,
  }),
  timeoutSeconds: 25,
  message: "Feature data retrieved.",

  async handle({ data, caller }) {
    const { organizationId, documentId, kind, location, filters = {}, order = "newest" } = data;
    const wanted = data.ids && distinct(data.ids);
    const selection = [kind, order, location ? identityOf(location) : null, wanted ?? null, filters];
    const query = ["feature data", organizationId, documentId, JSON.stringify(selection)];
    const list = listing(caller, query, data, wanted);
    const ref = { workspace: caller.workspace, organizationId, documentId };
    const { documentUid } = await existingDocument(ref);
    const source = featuresIn(
      { ...ref, documentUid },
      { kind, location, ids: wanted, isNewestFirst: order === "newest", filters: asStored(filters) },
    );
    const bounds = { limit: list.size, from: list.from, sizeMax: bytesMax, until: Date.now() + pageMsMax };
    const page = await fillPage(source, bounds);
    return { items: page.items as never[], nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(documentsDataGet, forUsers);

const oneOrSeveral = (given: string | string[] | undefined) => (typeof given === "string" ? [given] : given);
const time = (given: string | number | undefined) => (given === undefined ? undefined : listTime(given));

function asStored({ status, priority, updatedAfter, createdAfter, ...people }: Filters) {
  return {
    ...people,
    status: oneOrSeveral(status),
    priority: oneOrSeveral(priority),
    updatedAfter: time(updatedAfter),
    createdAfter: time(createdAfter),
  };
}

interface FeatureQuery {
  kind: FeatureKind;
  filters: FeatureList.FeatureFilters;
  isNewestFirst: boolean;
  /** Only items of this location. */
  location?: Location | undefined;
  /** Only these items. */
  ids?: readonly string[] | undefined;
}

type Entry = FeatureList.FeatureEntry & Position;

/** The feature data of a document and kind (DECISIONS.md#list-of-feature-data). */
function featuresIn(document: FoundDocument, query: FeatureQuery): List<Entry, object> {
  const { kind, filters, isNewestFirst, location, ids } = query;
  const { organizationId, documentId } = document;
  const live = newLiveness(document);
  const matches = FeatureList.matching(filters);
  let members: Promise<ReadonlySet<LocationUid> | undefined> | undefined;
  return {
    read: ids
      ? named(ids)
      : inRange(FeatureList.ofKind(document, kind, { isNewestFirst, above: filters.createdAfter })),

    async canShow(entries) {
      members ??= location ? membersOf(document, location) : Promise.resolve(undefined);
      const among = await members;
      const isWanted = (entry: Entry) => matches(entry) && (!among || among.has(entry.locationUid));
      return Promise.all(entries.map(async (entry) => isWanted(entry) && (await live.location(entry)) !== undefined));
    },

    async show(entries) {
      const items = await Feature.getMany(document, entries);
      return Promise.all(
        items.map(async (item, index) => {
          const entry = entries[index] as Entry;
          const place = await live.location(entry);
          // An item that was deleted and added again meanwhile has another entry.
          if (!item || !place || item.position !== entry.position) return undefined;
          return { ...JSON.parse(item.record), organizationId, documentId, location: place };
        }),
      );
    },

    sizeOf: sentSize,
  };

  /** The items in the order of the list. */
  function named(names: readonly string[]): Source<Entry> {
    const isBefore = (one: string, other: string) => (isNewestFirst ? one > other : one < other);
    return async (limit, from) => {
      const entries = await FeatureList.entriesOf(document, kind, names);
      const rest = entries.filter(({ sk }) => from === undefined || isBefore(from, sk));
      const sorted = rest.toSorted((one, other) => (isBefore(one.sk, other.sk) ? -1 : 1));
      return firstOf(sorted, limit);
    };
  }
}

/** The internal ids of the location's data; none if there is no such location. */
async function membersOf(document: FoundDocument, location: Location): Promise<ReadonlySet<LocationUid>> {
  const pointer = await LocationStore.pointer(document, identityOf(location));
  return new Set(pointer ? await LocationStore.members(document, pointer) : []);
}

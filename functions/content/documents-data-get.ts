import * as z from "zod/mini";
import { existingDocument } from "../../lib/content/require-organization.ts";
import { pageOfLive } from "../../lib/dynamodb/page-of-live.ts";
import { featuresIn } from "../../lib/features/list-features.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { Filters } from "../../lib/schema/feature-filters.ts";
import { Exported, Kind } from "../../lib/schema/features.ts";
import { identityOf, Location } from "../../lib/schema/location.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { distinct, Id, ids, optional } from "../../lib/schema/primitives.ts";
import { listTime } from "../../lib/store/features/feature-list.ts";

/** After this time a page ends with the items that it has. */
const pageMsMax = 15_000;
/** Of the page as it is sent (DECISIONS.md#sizes). */
const bytesMax = 4_000_000;
const entriesMax = 1_000;

export const documentsDataGet = endpoint({
  name: "documents-data-get",
  path: "/v2/organizations/documents/data/get",
  group: "content",
  summary: "List comments, reactions or recordings",
  description: "List the comments, reactions or recordings of a document: all, of one location, by id or with filters.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: Id,
    documentId: Id,
    kind: Kind,
    location: optional(Location),
    ids: optional(ids(100)),
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
    items: z.array(z.union([Exported.reactions, Exported.recordings, Exported.comments])),
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
    const limits = { items: list.size, bytes: bytesMax, entries: entriesMax };
    const page = await pageOfLive(source, list.from, Date.now() + pageMsMax, limits);
    return { items: page.items as never[], nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(documentsDataGet);

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

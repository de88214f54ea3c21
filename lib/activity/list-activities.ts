// Lists an organization's activities (DECISIONS.md#pages). Each value of a filter has a list of its own, and all lists
// have the same sort keys. With several filters, the lists of one filter are read, and their entries are checked
// against the other filters.
import { type Budget, mergedRanges } from "../dynamodb/merged-ranges.ts";
import type { List, Page, Source } from "../dynamodb/page.ts";
import { sentSize } from "../http/envelope.ts";
import type { Activity } from "../schema/activity-log.ts";
import { type ActivityContent, actorIn } from "../store/activity/activity.ts";
import type { Texts } from "../store/activity/activity-chain.ts";
import * as ActivityHome from "../store/activity/activity-home.ts";
import type { ListedActivity } from "../store/activity/activity-list.ts";
import * as ActivityList from "../store/activity/activity-list.ts";
import * as Document from "../store/content/document.ts";
import type { OrganizationRef } from "../store/refs.ts";

interface ActivityQuery extends ActivityList.ListOrder {
  documentIds?: readonly string[] | undefined;
  userIds?: readonly string[] | undefined;
  eventTypes?: readonly string[] | undefined;
}

/** Entries that a page reads. */
const entriesMax = 1_000;

type Entry = ListedActivity & { pk: string; sk: string };

export function activitiesOf(organization: OrganizationRef, query: ActivityQuery): List<Entry, object> {
  const [documents, users, types] = [query.documentIds, query.userIds, query.eventTypes].map(
    (values) => values && new Set(values),
  );
  let reading: Promise<Source<Entry>> | undefined;
  return {
    async read(limit, from) {
      reading ??= mostSelective(organization, query, limit, from);
      return (await reading)(limit, from);
    },

    async canShow(entries) {
      return entries.map(
        ({ documentId = "", eventType }) =>
          (!documents || documents.has(documentId)) && (!types || types.has(eventType)),
      );
    },

    async show(entries) {
      const documentIds = entries.flatMap(({ documentId }) => documentId ?? []);
      const [activities, names] = await Promise.all([
        ActivityHome.getMany(organization, entries),
        namesOf(organization, documentIds),
      ]);
      return activities.map((activity) => {
        if (!activity || activity.isDeleted) return undefined;
        if (users && !users.has(actorIn(activity) ?? "")) return undefined;
        const item = shown(activity);
        const documentName = names.get(item.documentId);
        return documentName === undefined ? item : { ...item, documentName };
      });
    },

    sizeOf: sentSize,
  };
}

/** The present names of the documents that have one, by id. */
async function namesOf(organization: OrganizationRef, documentIds: readonly string[]) {
  const documents = await Document.getMany(organization, [...new Set(documentIds)]);
  return new Map<string | undefined, string>(
    documents.flatMap((each) => (each?.documentName === undefined ? [] : [[each.documentId, each.documentName]])),
  );
}

/** Reads the lists of the filter with the fewest entries from here on. The first pages show which filter that is. */
async function mostSelective(
  organization: OrganizationRef,
  { documentIds, userIds, eventTypes, ...order }: ActivityQuery,
  limit: number,
  from: string | undefined,
): Promise<Source<Entry>> {
  const budget: Budget = { items: entriesMax };
  const filters = [
    { by: "user", values: userIds },
    { by: "document", values: documentIds },
    { by: "type", values: eventTypes },
  ] as const;
  const given = filters.flatMap(({ by, values }) => (values ? [[...new Set(values)].map((of) => ({ by, of }))] : []));
  const reads = (given.length > 0 ? given : [[{ by: "time" } as const]]).map((lists) =>
    mergedRanges<ListedActivity>(
      lists.map((list) => ActivityList.rangeOf(organization, list, order)),
      budget,
    ),
  );
  if (reads.length === 1) return reads[0] as Source<Entry>;
  const pages = await Promise.all(reads.map((read) => read(limit, from)));
  const best = pages.reduce((one, other) => (isMoreSelective(other, one, order.isNewestFirst) ? other : one));
  const read = reads[pages.indexOf(best)] as Source<Entry>;
  let isFirst = true;
  return async (...next) => {
    if (!isFirst) return read(...next);
    isFirst = false;
    return best;
  };
}

/** A list that ends has the fewest entries. If two continue, the page of the more selective one reaches farther. */
function isMoreSelective(one: Page<Entry>, other: Page<Entry>, isNewestFirst: boolean): boolean {
  if (one.next === undefined || other.next === undefined) {
    return one.next === undefined && (other.next !== undefined || one.items.length < other.items.length);
  }
  return one.next < other.next === isNewestFirst;
}

/** The texts as they are now; a text that was removed is absent. */
const textsOf = ({ texts, present }: ActivityContent): Texts => ({
  ...(JSON.parse(texts ?? "{}") as Texts),
  ...(JSON.parse(present ?? "{}") as Texts),
});

function shown(activity: ActivityHome.ActivityHome): Activity {
  const { activityId, organizationId, documentId, authTokenId, eventType, createdAt } = activity.record;
  const { actionUser, displayMessage, changes, metadata } = textsOf(activity);
  const { updatedAt } = activity;
  return {
    activityId,
    organizationId,
    ...(documentId !== undefined && { documentId }),
    ...(actionUser && { actionUser: JSON.parse(actionUser.text) }),
    ...(authTokenId !== undefined && { authTokenId }),
    eventType,
    ...(displayMessage && { displayMessage: displayMessage.text }),
    ...(changes && { changes: JSON.parse(changes.text) }),
    ...(metadata && { metadata: JSON.parse(metadata.text) }),
    createdAt,
    ...(updatedAt !== undefined && { updatedAt }),
  };
}

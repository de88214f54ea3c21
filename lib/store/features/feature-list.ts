// The list of all feature data of a document and kind, and the places of its ids (DECISIONS.md#list-of-feature-data). Both
// are under the document's internal id. They are written in the transaction of the item (`feature.ts`).
import { entity } from "../../dynamodb/entity.ts";
import { type Item, segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import type { FeatureKind } from "../../schema/feature-kinds.ts";
import type { CommentAnnotation } from "../../schema/features.ts";
import { type DocumentDataRef, documentDataPartition, type LocationDataRef } from "../refs.ts";

/** The fields by which a list is filtered. Each text is a key segment, so a long one has at most 300 bytes. */
interface FilterFields {
  status?: string;
  priority?: string;
  assignedTo?: string;
  from?: string;
  mentions?: string[];
  /** The item's own time, or when it was last written; ISO 8601 in UTC. */
  updatedAt: string;
}

export interface FeatureEntry extends FilterFields, Pick<LocationDataRef, "documentUid" | "locationUid"> {
  kind: FeatureKind;
  id: string;
  /** The `createdAt` that was stored first, else the time of the first write; ISO 8601 in UTC. */
  position: string;
}

/** The fields of an item of feature data from which its entry follows. */
export interface ListedFeature extends Pick<FeatureEntry, "documentUid" | "locationUid" | "kind" | "id" | "position"> {
  record: string;
  /** When it was last written, ISO 8601. */
  writtenAt: string;
}

/** The place of the item with an id. */
export type FeaturePlace = Pick<FeatureEntry, "locationUid" | "position">;

export interface FeatureId extends FeaturePlace {
  id: string;
}

export const featureEntryEntity = entity<FeatureEntry>()({
  name: "feature-entry",
  attributes: [
    "documentUid",
    "locationUid",
    "kind",
    "id",
    "position",
    "status",
    "priority",
    "assignedTo",
    "from",
    "mentions",
    "updatedAt",
  ],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "FEATURE#",
  sk: ({ kind, position, id, locationUid }: FeaturePlace & { kind: FeatureKind; id: string }) =>
    `${kind}#${position}#${segment(id)}#${locationUid}`,
});

export const featureIdEntity = entity<FeatureId>()({
  name: "feature-id",
  attributes: ["id", "locationUid", "position"],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "FEATURE-ID#",
  sk: ({ kind, id }: { kind: FeatureKind; id: string }) => `${kind}#${segment(id)}`,
});

const [earliest, latest] = ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"].map(Date.parse) as [number, number];

/** A time as the list stores it: texts are in the order of the times. */
export function listTime(time: string | number): string {
  const ms = typeof time === "number" ? time : Date.parse(time);
  return new Date(Math.min(Math.max(ms, earliest), latest)).toISOString();
}

/** The place in the list of an item that is first stored at `at`, ISO 8601. It never changes. */
export function positionOf(record: string, at: string): string {
  const { createdAt } = JSON.parse(record) as { createdAt?: string };
  return listTime(createdAt ?? at);
}

/** The item's entry. It follows from the item alone. */
export function entryOf(item: ListedFeature): FeatureEntry {
  const { documentUid, locationUid, kind, id, position, writtenAt } = item;
  const { from, assignedTo, status, priority, comments, updatedAt } = JSON.parse(item.record) as CommentAnnotation;
  const mentions = new Set((comments ?? []).flatMap(({ taggedUsers = [] }) => taggedUsers.map(({ userId }) => userId)));
  return {
    documentUid,
    locationUid,
    kind,
    id,
    position,
    from: segment(from.userId),
    ...(status !== undefined && { status: segment(status) }),
    ...(priority !== undefined && { priority: segment(priority) }),
    ...(assignedTo && { assignedTo: segment(assignedTo.userId) }),
    ...(mentions.size > 0 && { mentions: [...mentions].map(segment) }),
    updatedAt: listTime(updatedAt ?? writtenAt),
  };
}

/** The places in the order of `names`; undefined where no item has the id. */
export async function placesOf(document: DocumentDataRef, names: readonly { kind: FeatureKind; id: string }[]) {
  return Table.getMany<FeatureId>(names.map((name) => featureIdEntity.key({ ...document, ...name })));
}

/** The values that the entries of a list must have. Undefined: any value. */
export interface FeatureFilters {
  status?: readonly string[] | undefined;
  priority?: readonly string[] | undefined;
  assignedTo?: string | undefined;
  from?: string | undefined;
  mentions?: string | undefined;
  /** As `listTime` returns it. */
  updatedAfter?: string | undefined;
  createdAfter?: string | undefined;
}

/** Whether an entry matches all filters. */
export function matching(filters: FeatureFilters): (entry: FeatureEntry) => boolean {
  const { status, priority, assignedTo, from, mentions, updatedAfter = "", createdAfter = "" } = filters;
  const among = (wanted: readonly string[] | undefined) => {
    const segments = wanted && new Set(wanted.map(segment));
    return (value: string | undefined) => !segments || (value !== undefined && segments.has(value));
  };
  const only = (wanted: string | undefined) => among(wanted === undefined ? undefined : [wanted]);
  const [hasStatus, hasPriority] = [among(status), among(priority)];
  const [isAssigned, isFrom, isMentioned] = [only(assignedTo), only(from), only(mentions)];
  return (entry) =>
    hasStatus(entry.status) &&
    hasPriority(entry.priority) &&
    isAssigned(entry.assignedTo) &&
    isFrom(entry.from) &&
    (mentions === undefined || (entry.mentions ?? []).some(isMentioned)) &&
    entry.updatedAt > updatedAfter &&
    entry.position > createdAfter;
}

/** The entries of these ids, in any order. */
export async function entriesOf(document: DocumentDataRef, kind: FeatureKind, ids: readonly string[]) {
  const named = await placesOf(
    document,
    ids.map((id) => ({ kind, id })),
  );
  const keys = named.flatMap((each) => (each ? featureEntryEntity.key({ ...document, ...each, kind }) : []));
  return (await Table.getMany<FeatureEntry & Item>(keys)).filter((entry) => entry !== undefined);
}

interface ListOrder {
  isNewestFirst: boolean;
  /** Only entries after this position. */
  above?: string | undefined;
}

/** The entries of a kind. */
export function ofKind(document: DocumentDataRef, kind: FeatureKind, { isNewestFirst, above }: ListOrder): Table.Range {
  const { pk, beginsWith = "" } = featureEntryEntity.range(document);
  const prefix = `${beginsWith}${kind}#`;
  // In a sort key, "#" follows the position. "$" is above it, and ":" is above every digit.
  const part =
    above === undefined ? { beginsWith: prefix } : { between: [`${prefix}${above}$`, `${prefix}:`] as const };
  return { pk, ...part, isDescending: isNewestFirst };
}

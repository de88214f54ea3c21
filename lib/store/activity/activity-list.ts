// The lists of an activity log: by time, document, acting user and event type.
import { hash } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import type { Range } from "../../dynamodb/table.ts";
import { type Descendants, type OrganizationRef, organizationPartition, type WorkspaceRef } from "../refs.ts";
import { activityIdEntity, actorIn, type StoredActivity, sequenceIn, sequenceKey } from "./activity.ts";
import type { ChainRecord } from "./activity-chain.ts";

/** The lists of a log: of all activities, and of the activities of one document, acting user or event type. */
export type ActivityList = { by: "time" } | { by: "document" | "user" | "type"; of: string };

/** An activity in a list. It names no user, except by the list that it is in. */
export interface ListedActivity {
  /** For an activity that an event caused. */
  sequence?: number | undefined;
  /** For an activity that a client added. */
  activityId?: string | undefined;
  documentId?: string | undefined;
  eventType: string;
}

const listSegments = { time: "A", document: "D", user: "U", type: "E" } as const;

export const nameOfList = (list: ActivityList): string =>
  listSegments[list.by] + (list.by === "time" ? "" : `#${segment(list.of)}`);

/** The end of a sort key: made from the id if a client added the activity, else the sequence number. */
const placeOf = ({ sequence, activityId }: Pick<ListedActivity, "sequence" | "activityId">) =>
  activityId === undefined ? sequenceKey(sequence ?? 0) : `~${hash("sha256", activityId, "hex").slice(0, 32)}`;

export const listedActivityEntity = entity<ListedActivity>()({
  name: "listed-activity",
  attributes: ["sequence", "activityId", "documentId", "eventType"],
  pk: ({ listName, ...organization }: OrganizationRef & { listName: string }) =>
    `${organizationPartition(organization)}#ACTS#${listName}`,
  sk: ({ createdAt, place }: { createdAt: string; place: string }) => `${createdAt}#${place}`,
});

/** The part of a record that a client's activity has while it waits. */
export type WaitingRecord = Omit<ChainRecord, "chain" | "sequence"> & Partial<Pick<ChainRecord, "sequence">>;

/** The lists that an activity is in. */
const listsOf = ({ documentId, eventType }: WaitingRecord, actor?: string): ActivityList[] => [
  { by: "time" },
  { by: "type", of: eventType },
  ...(documentId === undefined ? [] : [{ by: "document", of: documentId } as const]),
  ...(actor === undefined ? [] : [{ by: "user", of: actor } as const]),
];

/** Its places in the lists. `isClients`: a client added it. */
function placesOf(organization: OrganizationRef, record: WaitingRecord, actor: string | undefined, isClients: boolean) {
  const { createdAt, activityId, sequence, documentId, eventType } = record;
  const name = isClients ? { activityId } : { sequence };
  const listed: ListedActivity = { ...name, documentId, eventType };
  const refs = listsOf(record, actor).map((list) => {
    return { ...organization, listName: nameOfList(list), createdAt, place: placeOf(name) };
  });
  return { refs, listed };
}

/** The writes that add an activity to its lists. `actor`: the id of the user who acted. */
export function listing(...place: Parameters<typeof placesOf>) {
  const { refs, listed } = placesOf(...place);
  return refs.map((ref) => listedActivityEntity.put(ref, listed));
}

/** The keys of its entries in the lists. */
export const listKeys = (...place: Parameters<typeof placesOf>) =>
  placesOf(...place).refs.map((ref) => listedActivityEntity.key(ref));

/** The writes that remove an activity from its lists. */
export const unlisting = (...place: Parameters<typeof placesOf>) =>
  placesOf(...place).refs.map((ref) => listedActivityEntity.delete(ref));

/** The entries of an activity in the lists, and the pointer of its id. */
export function activityDescendants({ workspace, ...activity }: StoredActivity & WorkspaceRef): Descendants {
  const record = JSON.parse(activity.record) as ChainRecord;
  const { organizationId, activityId } = record;
  const organization = { workspace, organizationId };
  const isClients = sequenceIn(activityId, record.chain) === undefined;
  const keys = record.target === undefined ? listKeys(organization, record, actorIn(activity), isClients) : [];
  return { items: isClients ? [...keys, activityIdEntity.key({ ...organization, activityId })] : keys };
}

export interface ListOrder {
  isNewestFirst: boolean;
  /** Only activities from this time on, ISO 8601. */
  after?: string | undefined;
  /** Only activities before this time, ISO 8601. */
  before?: string | undefined;
}

/** Below and above every time. */
const [first, last] = ["0", ":"] as const;

/** The range of a list. Its sort keys are the same in all lists that an activity is in. */
export function rangeOf(organization: OrganizationRef, list: ActivityList, order: ListOrder): Range {
  const pk = listedActivityEntity.partition({ ...organization, listName: nameOfList(list) });
  // In a sort key, "#" follows the time. So the time alone is below all keys that begin with it.
  return { pk, between: [order.after ?? first, order.before ?? last], isDescending: order.isNewestFirst };
}

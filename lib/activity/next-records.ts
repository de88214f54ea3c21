// The next records of a chain, as many as one transaction takes.
import type { Write } from "../dynamodb/write.ts";
import * as Activity from "../store/activity/activity.ts";
import { type ChainRecord, contentOf, hashOfRecord, salted, type Texts } from "../store/activity/activity-chain.ts";
import * as Entry from "../store/activity/activity-entry.ts";
import * as ActivityList from "../store/activity/activity-list.ts";
import * as ClientActivity from "../store/activity/client-activity.ts";
import type { OrganizationRef } from "../store/refs.ts";
import type { ActivityChange } from "../store/setting.ts";

/** What the chain gets next: an activity, or a change of the log's setting. */
export type InLine = Waiting | ActivityChange;

/** An event, or a change of the log, that waits. */
export interface Waiting {
  entry: Entry.StoredEntry;
  event: Entry.WaitingActivity;
  /** Its place in the entry. */
  index: number;
  /** The number of events of the entry. */
  count: number;
}

/** A record without its place in the chain. Without an id, it gets one from its place. */
interface Unplaced {
  record: Omit<ChainRecord, "chain" | "sequence" | "activityId" | "organizationId"> & { activityId?: string };
  content: Activity.ActivityContent;
  /** Set for an activity that a client added. */
  client?: Activity.ClientActivity;
}

/** DynamoDB takes 100 writes. One write is for the head, and one for the organization. */
const writesMax = 98;
/** DynamoDB takes 4 MB. */
const bytesMax = 2_000_000;

/** `head`: of the chain after these records. `listed`: their entries in the lists. `rest`: what still waits. */
export async function nextRecords(
  organization: OrganizationRef,
  before: Activity.ChainHead,
  waiting: readonly InLine[],
) {
  const chain = newRecords(organization, before);
  const some = waiting.slice(0, writesMax);
  const clients = await ClientActivity.waiting(
    organization,
    some.flatMap((each) => ("event" in each && addedIdOf(each.event)) || []),
  );
  const last = new Map<Entry.StoredEntry, Waiting>();
  let [bytes, done] = [0, 0];
  for (const each of some) {
    const next = "event" in each ? unplacedOf(each, clients) : ofChange(each);
    bytes += next ? Buffer.byteLength(JSON.stringify(next)) : 0;
    // The record, what moves a client's activity, and what consumes the entry.
    if (done > 0 && (chain.writes.length + last.size + 3 > writesMax || bytes > bytesMax)) break;
    if (next) chain.add(next);
    if ("event" in each) last.set(each.entry, each);
    else chain.head.setting = each.number;
    done++;
  }
  const consumed = [...last.values()].map(({ entry, index, count }) => Entry.consuming(entry, index + 1, count));
  // The same entry can have more events, for the next transaction.
  for (const { entry, index } of last.values()) entry.done = index + 1;
  return { writes: [...chain.writes, ...consumed], listed: chain.listed, head: chain.head, rest: waiting.slice(done) };
}

function newRecords(organization: OrganizationRef, before: Activity.ChainHead) {
  const head = { ...before };
  const writes: Write[] = [];
  const listed: ReturnType<typeof ActivityList.listing> = [];
  return { head, writes, listed, add };

  function add({ record: unplaced, content, client }: Unplaced): void {
    const sequence = head.sequence + 1;
    const activityId = unplaced.activityId ?? Activity.idOf(head.chain, sequence);
    const { organizationId } = organization;
    const record: ChainRecord = { ...unplaced, chain: head.chain, sequence, activityId, organizationId };
    head.hash = hashOfRecord(head.hash, record);
    head.sequence = sequence;
    writes.push(Activity.recording(organization, { record, hash: head.hash, ...content }));
    if (client) writes.push(ClientActivity.moving(organization, activityId, client, sequence));
    else if (!record.target)
      listed.push(...ActivityList.listing(organization, record, Activity.actorIn(content), false));
  }
}

const addedIdOf = ({ type, data }: Entry.WaitingActivity) =>
  type === "activity.add" ? (data as Entry.LoggedAddition).activityId : undefined;

/** Undefined: the activity was deleted with an earlier life of the organization. */
function unplacedOf(
  { entry, event }: Waiting,
  clients: ReadonlyMap<string, Activity.ClientActivity>,
): Unplaced | undefined {
  const { at: createdAt, causedBy, authTokenId } = entry;
  const by = authTokenId === undefined ? {} : { authTokenId };
  const { type: eventType } = event;
  if (eventType === "activity.add") {
    const client = clients.get(addedIdOf(event) ?? "");
    const { waiting, texts, present, updatedAt, edits, isDeleted } = client ?? {};
    if (!client || waiting === undefined) return undefined;
    const content = { texts, present, updatedAt, edits, isDeleted, causedBy: client.causedBy };
    return { record: JSON.parse(waiting), content, client };
  }
  if (eventType === "activity.update" || eventType === "activity.delete") {
    const { activityId: target, content = {} } = event.data as Entry.LoggedEdit;
    return { record: { eventType, createdAt, target, content, ...by }, content: { causedBy } };
  }
  return ofEvent({ entry, event });
}

function ofChange({ at: createdAt, number, config, isUnlock, authTokenId }: ActivityChange): Unplaced {
  const texts: Texts = { changes: salted(JSON.stringify({ number, ...config })) };
  const eventType = isUnlock ? "activity.unlock" : "activity.configure";
  const record = { eventType, createdAt, content: contentOf(texts), ...(authTokenId !== undefined && { authTokenId }) };
  return { record, content: { texts: JSON.stringify(texts) } };
}

/** Fields of events that name who acted. */
function actorOf({ actionUserId, from }: { actionUserId?: unknown; from?: unknown }): string | undefined {
  const actor = actionUserId ?? from;
  return typeof actor === "string" ? actor : undefined;
}

function ofEvent({
  entry: { at: createdAt, causedBy, authTokenId },
  event,
}: Pick<Waiting, "entry" | "event">): Unplaced {
  const { type: eventType, documentId, data } = event;
  const actor = actorOf(data);
  const { actionUserId: _, ...changes } = data as Record<string, unknown>;
  const texts: Texts = {
    ...(actor !== undefined && { actionUser: salted(JSON.stringify({ userId: actor })) }),
    changes: salted(JSON.stringify(changes)),
  };
  const optional = {
    ...(documentId !== undefined && { documentId }),
    ...(authTokenId !== undefined && { authTokenId }),
  };
  const record = { eventType, createdAt, content: contentOf(texts), ...optional };
  return { record, content: { texts: JSON.stringify(texts), causedBy } };
}

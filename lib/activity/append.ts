// The writer of an organization's activity log. It takes the waiting entries in the order of their stamps and appends
// their events to the chain. One transaction puts the records, moves the head and removes the entries, so each event is
// recorded once, also when a writer dies or two of them overlap.
import { deleteAll } from "../dynamodb/batch-write.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import { commit } from "../jobs/commit.ts";
import type { Job } from "../jobs/job.ts";
import type { RunResult } from "../jobs/worker.ts";
import { newId } from "../new-id.ts";
import * as Activity from "../store/activity.ts";
import * as Entry from "../store/activity-entry.ts";
import { getStored, isFound, organizationEntity } from "../store/organization-life.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { settledMs } from "./append-job.ts";
import { type ChainRecord, firstHash, hashOfRecord, hashOfText, salted, type Texts } from "./chain.ts";

/** DynamoDB takes 100 writes. One is for the head, and one for the organization. */
const writesMax = 98;
/** DynamoDB takes 4 MB. */
const bytesMax = 2_000_000;

export async function appendActivities({ workspace, payload }: Job, until: number): Promise<RunResult> {
  const organization = { workspace, organizationId: String(payload.organizationId) };
  let next: string | undefined;
  do {
    const state = await retryOnConflict("activity log", async () => {
      const found = await Entry.oldest(organization, new Date(Date.now() - settledMs).toISOString());
      if (found.entries.length === 0) return { ...found, isDone: true };
      return (await append(organization, found.entries)) ? { ...found, isDone: false } : conflict;
    });
    next = state.next;
    if (state.isDone) return next === undefined ? "done" : againAt(payload, Date.parse(next) + settledMs);
  } while (Date.now() < until);
  return { again: { payload, delaySeconds: 0 } };
}

const againAt = (payload: Job["payload"], time: number): RunResult => ({
  again: { payload, delaySeconds: Math.max(0, Math.ceil((time - Date.now()) / 1_000)) },
});

/** Appends as many events as fit a transaction. Returns false when another writer was faster. */
async function append(organization: OrganizationRef, entries: readonly Entry.StoredEntry[]): Promise<boolean> {
  const [[life], head] = await Promise.all([
    getStored(organization, [organization.organizationId]),
    Activity.head(organization),
  ]);
  if (!isFound(life)) {
    await deleteAll(entries.map(({ pk, sk }) => ({ pk, sk })));
    return true;
  }
  const chain = head?.chain ?? newId();
  const last = head ?? { chain, sequence: 0, hash: firstHash(chain) };
  const { writes, after } = transactionOf(organization, last, entries);
  // A writer that lasts until the organization is added again must not begin the chain of that life.
  const isSameLife = { createdAt: life.createdAt, deletionJobId: undefined };
  const check = head ? [] : [organizationEntity.update(organization, {}, isSameLife)];
  return commit([Activity.moving(organization, head, after), ...check, ...writes]);
}

function transactionOf(organization: OrganizationRef, last: Activity.ChainHead, entries: readonly Entry.StoredEntry[]) {
  const writes: Write[] = [];
  let after = last;
  let bytes = 0;
  for (const entry of entries) {
    const events = JSON.parse(entry.events) as Entry.WaitingActivity[];
    let done = entry.done ?? 0;
    while (done < events.length) {
      const activity = activityOf(organization, after, entry, events[done] as Entry.WaitingActivity);
      const appended = Activity.appending(organization, activity);
      bytes += Buffer.byteLength(JSON.stringify(appended));
      const fits = writes.length + appended.length < writesMax && bytes <= bytesMax;
      if (!fits && after !== last) break;
      writes.push(...appended);
      after = { chain: last.chain, sequence: activity.record.sequence, hash: activity.hash };
      done++;
    }
    if (done > (entry.done ?? 0)) writes.push(Entry.consuming(entry, done, events.length));
    if (done < events.length) break;
  }
  return { writes, after };
}

/** Fields of events that name who acted. */
function actorOf({ actionUserId, from }: { actionUserId?: unknown; from?: unknown }): string | undefined {
  const actor = actionUserId ?? from;
  return typeof actor === "string" ? actor : undefined;
}

function activityOf(
  { organizationId }: OrganizationRef,
  { chain, sequence: before, hash: previous }: Activity.ChainHead,
  { at: createdAt, causedBy }: Entry.ActivityEntry,
  { type: eventType, documentId, data }: Entry.WaitingActivity,
): Activity.NewActivity {
  const sequence = before + 1;
  const actor = actorOf(data);
  const { actionUserId: _, ...changes } = data as Record<string, unknown>;
  const texts: Texts = {
    ...(actor !== undefined && { actionUser: salted(JSON.stringify({ userId: actor })) }),
    changes: salted(JSON.stringify(changes)),
  };
  const content = Object.fromEntries(Object.entries(texts).map(([part, text]) => [part, hashOfText(text)]));
  const name = { chain, sequence, activityId: Activity.idOf(chain, sequence), organizationId, eventType, createdAt };
  const record: ChainRecord = { ...name, ...(documentId !== undefined && { documentId }), content };
  return { record, hash: hashOfRecord(previous, record), texts, actor, causedBy };
}

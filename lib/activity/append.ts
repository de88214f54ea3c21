// The writer of an organization's activity log. It takes the waiting entries in the order of their stamps and appends
// their events to the chain. One transaction puts the records, moves the head and removes the entries, so each event is
// recorded once, also when a writer dies or two writers overlap. The entries of the lists are written after the
// transaction. The head says up to which record the lists are complete, and the next writer adds what is missing.
import { deleteAll, putAll } from "../dynamodb/batch-write.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commit } from "../jobs/commit.ts";
import type { RunResult } from "../jobs/worker.ts";
import { newId } from "../new-id.ts";
import * as Activity from "../store/activity/activity.ts";
import { type ChainRecord, firstHash } from "../store/activity/activity-chain.ts";
import * as Entry from "../store/activity/activity-entry.ts";
import * as ActivityList from "../store/activity/activity-list.ts";
import * as ClientActivity from "../store/activity/client-activity.ts";
import { getStored, isFound, type Organization, organizationEntity } from "../store/content/organization-life.ts";
import type { Job } from "../store/job.ts";
import type { OrganizationRef } from "../store/refs.ts";
import type { ActivityChange } from "../store/setting.ts";
import * as Setting from "../store/setting.ts";
import { settledMs } from "./append-job.ts";
import { changesOf } from "./config.ts";
import { type InLine, nextRecords, type Waiting } from "./next-records.ts";

export async function appendActivities({ workspace, payload }: Job, until: number): Promise<RunResult> {
  const organization = { workspace, organizationId: String(payload.organizationId) };
  do {
    const { hasMore, next } = await retryOnConflict("activity log", () => appendOld(organization, until));
    if (!hasMore) return next === undefined ? "done" : againAt(payload, Date.parse(next) + settledMs);
  } while (Date.now() < until);
  return { again: { payload, delaySeconds: 0 } };
}

const againAt = (payload: Job["payload"], time: number): RunResult => ({
  again: { payload, delaySeconds: Math.max(0, Math.ceil((time - Date.now()) / 1_000)) },
});

/** The log as one transaction leaves it. */
interface Log {
  /** Undefined: the chain has not begun. */
  stored: Activity.ChainHead | undefined;
  head: Activity.ChainHead;
  life: Organization;
}

/** Appends the entries that one read finds. `next`: the time of the first entry that is not old enough. */
async function appendOld(organization: OrganizationRef, until: number) {
  const before = new Date(Date.now() - settledMs).toISOString();
  const [{ entries, hasMore, next }, log, setting] = await Promise.all([
    Entry.oldest(organization, before),
    openLog(organization),
    Setting.get(organization, "activity"),
  ]);
  if (!log) {
    await deleteAll(
      entries.flatMap((entry) => ClientActivity.entryDescendants({ ...organization, ...entry }).items ?? []),
    );
    await deleteAll(entries);
    return { hasMore, next };
  }
  const changes = changesOf(setting);
  // Entries that were not read are later than the last one here.
  const readUpTo = (hasMore && entries.at(-1)?.at) || before;
  let rest = inOrder(entries.flatMap(waitingOf), { changes, readUpTo, recorded: log.stored?.setting });
  await listMissing(organization, log.stored);
  let { stored, head } = log;
  while (rest.length > 0) {
    const step = await nextRecords(organization, head, rest);
    const moves = Activity.moving(organization, stored, step.head);
    if (!(await commit([moves, ...(stored ? [] : [isSameLife(organization, log.life)]), ...step.writes])))
      return conflict;
    await putAll(step.listed);
    rest = step.rest;
    stored = step.head;
    head = { ...step.head, listed: step.head.sequence };
    // After a step, so that each run makes progress.
    if (rest.length > 0 && Date.now() > until) return { hasMore: true };
  }
  if (stored && stored.listed < stored.sequence) await commit([Activity.listedUpTo(organization, stored)]);
  const young = stored && changes.find(({ number }) => number > head.setting);
  return { hasMore, next: [next, young?.at].filter((at) => at !== undefined).sort()[0] };
}

async function openLog(organization: OrganizationRef): Promise<Log | undefined> {
  const [[life], stored] = await Promise.all([
    getStored(organization, [organization.organizationId]),
    Activity.head(organization),
  ]);
  if (!isFound(life)) return undefined;
  const chain = newId();
  const first = { chain, sequence: 0, hash: firstHash(chain), listed: 0, setting: 0 };
  return { stored, head: stored ? { ...stored, listed: stored.sequence } : first, life };
}

/** A slow writer must not begin the chain of an organization that was deleted and added again. */
const isSameLife = (organization: OrganizationRef, { createdAt }: Organization) =>
  organizationEntity.update(organization, {}, { createdAt, deletionJobId: undefined });

const waitingOf = (entry: Entry.StoredEntry): Waiting[] =>
  (JSON.parse(entry.events) as Entry.WaitingActivity[])
    .map((event, index, { length: count }) => ({ entry, event, index, count }))
    .slice(entry.done ?? 0);

/** Adds records to the lists whose writer died before it did so. */
async function listMissing(organization: OrganizationRef, head: Activity.ChainHead | undefined): Promise<void> {
  if (!head || head.listed >= head.sequence) return;
  const records = await Activity.between(organization, head.listed, head.sequence);
  const missing = records.filter(({ isDeleted }) => !isDeleted);
  await putAll(missing.flatMap((each) => listingOf(organization, JSON.parse(each.record), Activity.actorIn(each))));
}

/** A client's activity was listed when it was added, and a change of an activity is in no list. */
function listingOf(organization: OrganizationRef, record: ChainRecord, actor: string | undefined) {
  const isOwn = Activity.sequenceIn(record.activityId, record.chain) !== undefined;
  return isOwn && record.target === undefined ? ActivityList.listing(organization, record, actor, false) : [];
}

interface Changes {
  changes: readonly ActivityChange[];
  /** Everything from before this time was read, ISO 8601. */
  readUpTo: string;
  /** The number of the last change in the chain. Undefined: the chain has not begun. */
  recorded: number | undefined;
}

/**
 * The order of a chain: the waiting activities and the changes of the log's setting that are in no record, by their times
 * (DECISIONS.md#activity-chain). A chain begins with the setting of its first activity.
 */
function inOrder(waiting: readonly Waiting[], { changes, readUpTo, recorded }: Changes): InLine[] {
  const [first] = waiting;
  if (recorded === undefined && !first) return [];
  const ordered: InLine[] = [];
  let next = changes.findIndex(({ number }) => number > (recorded ?? 0));
  if (next === -1) return [...waiting];
  if (recorded === undefined) {
    const inForce = Math.max(
      0,
      changes.findLastIndex(({ at }) => at <= (first?.entry.at ?? "")),
    );
    ordered.push({ ...(changes[inForce] as ActivityChange), isUnlock: undefined });
    next = inForce + 1;
  }
  const addChanges = (until: string, isEdit: boolean) => {
    for (; next < changes.length; next++) {
      const { at, isUnlock } = changes[next] as ActivityChange;
      // No edit was possible between the change before and the unlock. An operator's clock can be wrong.
      const from = isEdit && isUnlock ? (changes[next - 1]?.at ?? "") : at;
      if (from > until) return;
      ordered.push(changes[next] as ActivityChange);
    }
  };
  for (const each of waiting) {
    addChanges(each.entry.at, each.event.type === "activity.update" || each.event.type === "activity.delete");
    ordered.push(each);
  }
  addChanges(readUpTo, false);
  return ordered;
}

// Erases a user from an organization. What others made can name the user, so all that the organization holds is walked,
// page by page. What is still to be walked is kept in the job, so that a run that stops anywhere is gone on with.
// A tombstone stays (the id and the count of its lives, nothing else): without it, a grant still under way would hold.

import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { removeAll } from "../jobs/commit.ts";
import { type Job, newJob } from "../jobs/queue.ts";
import { dataKeys } from "../store/data-keys.ts";
import * as Judgments from "../store/judgment.ts";
import { type Key, keys, segment, shardCount } from "../store/keys.ts";
import { memoryKeys } from "../store/memory-keys.ts";
import * as User from "../store/user.ts";
import { hangingFrom, shapeOf, userPartitions } from "./descendants.ts";
import { emptyPartition } from "./purge.ts";
import { scrubbed } from "./redact.ts";

export interface Erasure {
  organizationId: string;
  userId: string;
}

export type Range = Pick<Table.Range, "pk" | "beginsWith" | "after">;

interface Visit {
  found: boolean;
  ranges: Range[];
}

/** Items of a page, and so what one page can add to the ranges that the job keeps. */
const pageItems = 25;

export function eraseJob(workspace: string, erasure: Erasure): Job {
  return newJob("purge", workspace, { erase: erasure });
}

/** Leaves a tombstone in the user's place: all access ends at once. Answers whether there was more than that. */
export async function forget(workspace: string, { organizationId, userId }: Erasure): Promise<boolean> {
  const [user] = await User.getMany(workspace, organizationId, [userId]);
  if (User.lifeOf(user) > 0 && !User.isKnown(user)) return false;
  // Lost to a call that changed the user meanwhile: the next pass finds what that left.
  await Table.commit([User.removal(workspace, organizationId, user ?? { userId })]);
  return true;
}

/** One run of a pass, from `stack` on. With a `stack` in the answer, `until` (ms since the epoch) came first. */
export async function erase(
  workspace: string,
  erasure: Erasure,
  stack: readonly Range[] | undefined,
  until: number,
): Promise<{ found: boolean; stack?: Range[] }> {
  let found = stack === undefined && (await forget(workspace, erasure));
  const rest = [...(stack ?? rootsOf(workspace, erasure))];
  for (let range = rest.pop(); range; range = rest.pop()) {
    const { items, next } = await Table.query<Table.Item>({ ...range, limit: pageItems });
    if (next !== undefined) rest.push({ ...range, after: next });
    const visit = await visitPage(workspace, erasure, items);
    found ||= visit.found;
    rest.push(...visit.ranges);
    if (Date.now() > until) return { found, stack: rest };
  }
  const organization = keys.organization(workspace, erasure.organizationId).pk;
  for (const pk of userPartitions(organization, segment(erasure.userId))) {
    const emptied = await emptyPartition(workspace, pk, until);
    found ||= emptied.found;
    if (!emptied.isDone) return { found, stack: [] };
  }
  return { found };
}

function rootsOf(workspace: string, { organizationId }: Erasure): Range[] {
  const shards = Array.from({ length: shardCount }, (_, shard) => keys.documentShard(workspace, organizationId, shard));
  const groups = keys.userGroup(workspace, organizationId, "");
  const months = memoryKeys.month(workspace, organizationId, "");
  return [...[groups, months].map(({ pk, sk }) => ({ pk, beginsWith: sk })), ...shards.map((pk) => ({ pk }))];
}

async function visitPage(workspace: string, erasure: Erasure, items: Table.Item[]): Promise<Visit> {
  const { userId } = erasure;
  const shape = items[0] ? shapeOf(items[0].pk) : "";
  const partitions = items.flatMap((item) => hangingFrom(workspace, item).partitions);
  if (shape === "O") {
    const members = partitions.map((pk) => ({ pk, sk: segment(userId) }));
    return { found: await removePresent(members), ranges: [] };
  }
  if (shape === "O D") {
    const uids = items.map(({ uid }) => String(uid));
    const own = uids.flatMap((uid) => [
      keys.documentGrant(workspace, uid, userId),
      dataKeys.preference(workspace, uid, userId),
      dataKeys.presence(workspace, uid, userId),
    ]);
    const ranges = partitions.flatMap((pk) => ["L#", "NOTE#"].map((beginsWith) => ({ pk, beginsWith })));
    return { found: await removePresent(own), ranges };
  }
  if (shape === "JD") return { found: false, ranges: (items as never as Judgments.Month[]).map(judgmentsOf) };
  if (shape === "J M") return { found: await Judgments.eraseUser(workspace, items, userId), ranges: [] };
  const mine = items.filter((item) => madeBy(item) === userId);
  await removeAll(mine.flatMap((item) => hangingFrom(workspace, item).items));
  await removeAll(mine);
  const rewrites = items.filter((item) => !mine.includes(item)).flatMap((item) => rewriteOf(item, userId));
  await Table.commitEach(rewrites.map((write) => ({ writes: [write] })));
  const ranges = shape === "X" ? partitions.map((pk) => ({ pk })) : [];
  return { found: mine.length + rewrites.length > 0, ranges };

  function judgmentsOf({ organizationId, month }: Judgments.Month): Range {
    return { pk: memoryKeys.judgments(workspace, organizationId, month) };
  }
}

/** Who made a piece of feature data. */
function madeBy({ record }: Table.Item & { record?: string }): string | undefined {
  return record === undefined ? undefined : JSON.parse(record).from?.userId;
}

/** Fields that hold JSON. */
const texts = ["record", "content"];

/** The write that takes the user out of an item of others; lost where that has changed, for the next pass to find. */
function rewriteOf({ pk, sk, ...item }: Table.Item, userId: string): Write[] {
  const before = item as Record<string, unknown>;
  const after = Object.entries(before).map(([name, value]) => {
    if (!texts.includes(name)) return [name, scrubbed(value, userId, name)] as const;
    return [name, JSON.stringify(scrubbed(JSON.parse(value as string), userId, name))] as const;
  });
  const changed = after.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
  if (changed.length === 0) return [];
  const unchanged = Object.fromEntries(changed.map(([name]) => [name, before[name]]));
  return [{ update: { pk, sk }, set: Object.fromEntries(changed), if: unchanged }];
}

/** Answers whether there was any. */
async function removePresent(wanted: readonly Key[]): Promise<boolean> {
  const present = (await Table.getMany<Table.Item>(wanted)).filter((item) => item !== undefined);
  await removeAll(present);
  return present.length > 0;
}

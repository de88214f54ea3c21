// Deliveries to one webhook endpoint: the pending ones, ordered by due time, and the log of the attempted ones.
import { deleteAll, putAll } from "../dynamodb/batch-write.ts";
import { entity } from "../dynamodb/entity.ts";
import { fitting, type Page, pageOf } from "../dynamodb/page.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { commit } from "../jobs/commit.ts";
import { ttlAfter } from "../retention.ts";
import type { Descendants } from "./descendants.ts";
import type { WorkspaceRef } from "./refs.ts";
import { type EndpointRef, endpointPartition } from "./webhook-endpoint.ts";

/** One message to one endpoint. */
export interface Delivery {
  /** Begins with `idPrefix` of its time and the event's place in its call; the same on every attempt. */
  id: string;
  endpointId: string;
  event: string;
  createdAt: string;
  /** The body of the request, as it is sent. */
  body: string;
  /** All attempts so far. */
  attempts: number;
  /** Attempts since the last manual retry. */
  tries: number;
}

/** A delivery whose next attempt is at `dueAt`, ms since the epoch. */
export interface Pending extends Delivery {
  dueAt: number;
}

/** The result of an attempt. */
export interface Attempt {
  at: string;
  durationMs: number;
  /** The HTTP status and the first 1 KB of the body of the reply; absent when there was no reply. */
  code?: number | undefined;
  answer?: string | undefined;
  /** Why there was no reply. */
  error?: string | undefined;
}

/** A delivery after an attempt. It has a body only while it is failed: a manual retry sends the body again. */
export interface Logged extends Omit<Delivery, "body"> {
  status: "pending" | "delivered" | "failed";
  body?: string | undefined;
  nextAttemptAt?: string | undefined;
  last: Attempt;
}

/** The prefix of the ids of deliveries of this time (ms since the epoch). Ids of later deliveries sort after it. */
export const idPrefix = (time: number) => `msg_${String(time).padStart(13, "0")}_`;
const timeOf = (id: string) => Number(id.split("_")[1]);

const deliveryAttributes = {
  id: true,
  endpointId: true,
  event: true,
  createdAt: true,
  body: true,
  attempts: true,
  tries: true,
} as const;

export const pendingEntity = entity<Pending>()({
  name: "pending-delivery",
  attributes: { ...deliveryAttributes, dueAt: true },
  pk: (ref: EndpointRef) => `${endpointPartition(ref)}#Q`,
  sk: ({ dueAt, id }: Pick<Pending, "dueAt" | "id">) => `${String(dueAt).padStart(13, "0")}#${id}`,
});

/** An id begins with its time, so the log is in the order of the events. */
export const loggedEntity = entity<Logged & { ttl: number }>()({
  name: "logged-delivery",
  attributes: { ...deliveryAttributes, status: true, nextAttemptAt: true, last: true, ttl: true },
  pk: (ref: EndpointRef) => `${endpointPartition(ref)}#LOG`,
  sk: ({ id }: { id: string }) => id,
});

/** The deliveries of an endpoint, their log, and the rate. */
export const endpointDescendants = (ref: EndpointRef): Descendants => ({
  partitions: [endpointPartition(ref), pendingEntity.partition(ref), loggedEntity.partition(ref)],
});

const pendingKey = (ref: WorkspaceRef, pending: Pick<Pending, "endpointId" | "dueAt" | "id">) =>
  pendingEntity.key({ ...ref, ...pending });
const loggedKey = (ref: WorkspaceRef, logged: Pick<Delivery, "endpointId" | "id">) =>
  loggedEntity.key({ ...ref, ...logged });

/** The deliveries that are neither pending nor in the log. */
export async function unstored(ref: WorkspaceRef, deliveries: readonly Pending[]): Promise<Pending[]> {
  // The order of the reads matters: a delivery is logged before it stops being pending.
  const waiting = await Table.getMany(deliveries.map((each) => pendingKey(ref, each)));
  const logged = await Table.getMany(deliveries.map((each) => loggedKey(ref, each)));
  return deliveries.filter((_, index) => !waiting[index] && !logged[index]);
}

export async function add(ref: WorkspaceRef, deliveries: readonly Pending[]): Promise<void> {
  await putAll(deliveries.map((each) => adding(ref, each)));
}

export const adding = (ref: WorkspaceRef, pending: Pending) => pendingEntity.put({ ...ref, ...pending }, pending);

/** Up to `limit` pending deliveries that are due at `time` (ms since the epoch), the longest due first. */
export async function due(ref: EndpointRef, time: number, limit: number): Promise<Pending[]> {
  const upTo = pendingKey(ref, { ...ref, dueAt: time + 1, id: "" }).sk;
  return (await Table.query<Pending>({ ...pendingEntity.range(ref), upTo, limit })).items;
}

/** The time when the next delivery is due, ms since the epoch; undefined when none is pending. */
export async function nextDueAt(ref: EndpointRef): Promise<number | undefined> {
  return (await Table.query<Pending>({ ...pendingEntity.range(ref), limit: 1 })).items[0]?.dueAt;
}

/** Ends successful deliveries. It logs them first, so each is in one of the two lists at every moment. */
export async function finish(ref: WorkspaceRef, done: readonly { pending: Pending; last: Attempt }[]): Promise<void> {
  await putAll(done.map(({ pending, last }) => logging(ref, pending, { status: "delivered", last })));
  await deleteAll(done.map(({ pending }) => pendingKey(ref, pending)));
}

/**
 * Records a failed attempt. The next one is at `dueAt` (ms since the epoch); without it, the delivery has failed.
 * Returns false when the delivery is no longer pending.
 */
export async function fail(ref: WorkspaceRef, pending: Pending, last: Attempt, dueAt?: number): Promise<boolean> {
  const removal = pendingEntity.delete({ ...ref, ...pending }, "present");
  if (dueAt === undefined) {
    return commit([removal, logging(ref, pending, { status: "failed", last, body: pending.body })]);
  }
  const next = { ...pending, attempts: pending.attempts + 1, tries: pending.tries + 1, dueAt };
  const nextAttemptAt = new Date(dueAt).toISOString();
  return commit([removal, adding(ref, next), logging(ref, pending, { status: "pending", last, nextAttemptAt })]);
}

/** The writes of a manual retry: they make a failed delivery pending, due now. */
export function retrying(
  ref: WorkspaceRef,
  { body = "", last: _last, status: _status, ...logged }: Logged,
  now: number,
): Write[] {
  const { id, endpointId, event, createdAt, attempts } = logged;
  const pending = { id, endpointId, event, createdAt, body, attempts, tries: 0, dueAt: now };
  const set = { status: "pending", tries: 0, nextAttemptAt: new Date(now).toISOString() } as const;
  return [
    loggedEntity.update({ ...ref, ...logged }, { set, remove: ["body"] }, { status: "failed" }),
    adding(ref, pending),
  ];
}

type AttemptResult = Pick<Logged, "status" | "last" | "body" | "nextAttemptAt">;

function logging(ref: WorkspaceRef, pending: Pending, result: AttemptResult) {
  const { id, endpointId, event, createdAt, attempts, tries } = pending;
  const entry = { id, endpointId, event, createdAt, attempts: attempts + 1, tries: tries + 1, ...result };
  return loggedEntity.put({ ...ref, endpointId, id }, { ...entry, ttl: ttlAfter("delivery") });
}

export async function logged(ref: EndpointRef, id: string): Promise<Logged | undefined> {
  return Table.get<Logged>(loggedEntity.key({ ...ref, id }));
}

/** Logged deliveries whose events are from `since` (ms since the epoch) or later, the earliest first, in pages. */
export function loggedSince(ref: EndpointRef, since: number): AsyncGenerator<Logged[]> {
  return Table.all<Logged>({ ...loggedEntity.range(ref), after: idPrefix(since) });
}

/** Reads of pending deliveries for one page. Most of an old backlog has been attempted, and is skipped. */
const untriedReadsMax = 4;
const untriedPerRead = 1_000;
/** A worker whose clock is ahead makes deliveries that are due later than now. */
const clockSkewMs = 60_000;

/**
 * One page of deliveries, the newest event first: the logged ones, and those before their first attempt. It can be
 * short. A position is the id after which it continues, and the sort key of the pending delivery if that is another.
 */
export async function page(ref: EndpointRef, limit: number, from?: string): Promise<Page<Logged | Pending>> {
  const [after, pendingAfter] = from?.split(" ") ?? [];
  // Reads the pending ones first: a delivery that is attempted between the two reads is then found in the log.
  const waiting = await untried(ref, limit + 1, after, pendingAfter);
  const tried = await Table.queryFull<Logged>({
    ...loggedEntity.range(ref),
    isDescending: true,
    limit: limit + 1,
    ...(after !== undefined && { after }),
  });
  const byId = new Map<string, Logged | Pending>([...waiting.items, ...tried.items].map((each) => [each.id, each]));
  // Deliveries below these ids belong to a later page: there, one of the lists was not read.
  const reachedInLog = tried.next === undefined ? "" : (tried.items.at(-1)?.id ?? "");
  const reached = waiting.reachedAt === undefined ? "" : idPrefix(waiting.reachedAt + 1);
  const endsInPending = reached > reachedInLog;
  const found = new Set(waiting.items.map(({ id }) => id));
  const sorted = [...byId.values()]
    .filter(({ id }) => (endsInPending ? id >= reached || found.has(id) : id >= reachedInLog))
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  const shown = sorted.slice(0, Math.min(limit, fitting(sorted)));
  if (shown.length === sorted.length && endsInPending) return pageOf(shown, `${reached} ${waiting.next}`);
  const isWhole = shown.length === sorted.length && tried.next === undefined;
  return pageOf(shown, isWhole ? undefined : shown.at(-1)?.id);
}

interface Untried extends Page<Pending> {
  reachedAt?: number;
}

/**
 * Up to `limit` deliveries before their first attempt, the newest first. Each is due at the time in its id. When
 * too many others had been attempted, the reading ended at `next`, whose delivery is due at `reachedAt`.
 */
async function untried(ref: EndpointRef, limit: number, from?: string, pendingFrom?: string): Promise<Untried> {
  const start = from === undefined ? { dueAt: Date.now() + clockSkewMs, id: "" } : { dueAt: timeOf(from), id: from };
  let after = pendingFrom ?? pendingKey(ref, { ...ref, ...start }).sk;
  const items: Pending[] = [];
  let reachedAt = start.dueAt;
  for (let reads = 0; reads < untriedReadsMax; reads++) {
    const range = { ...pendingEntity.range(ref), isDescending: true, after };
    const read = await Table.queryFull<Pending>({ ...range, limit: reads === 0 ? limit : untriedPerRead });
    items.push(...read.items.filter(({ attempts }) => attempts === 0));
    if (items.length >= limit || read.next === undefined) return { items: items.slice(0, limit) };
    after = read.next;
    reachedAt = read.items.at(-1)?.dueAt ?? reachedAt;
  }
  return { items, next: after, reachedAt };
}

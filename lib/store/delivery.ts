// Deliveries to one webhook endpoint: those to be made, in the order in which they are due, and the log of those tried.

import { fitting } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { commit, putAll, removeAll } from "../jobs/commit.ts";
import { ttlAfter } from "../retention.ts";
import { type Key, keys } from "./keys.ts";

/** One message to one endpoint. */
export interface Delivery {
  /** Begins with `idPrefix` of its time; the same on every attempt. */
  id: string;
  endpointId: string;
  event: string;
  createdAt: string;
  /** As sent. */
  body: string;
  /** Attempts so far, and those of them since the delivery was last begun anew by hand. */
  attempts: number;
  tries: number;
}

/** To be attempted at `dueAt`, ms since the epoch. */
export interface Pending extends Delivery {
  dueAt: number;
}

/** The last attempt's outcome. */
export interface Attempt {
  at: string;
  durationMs: number;
  /** HTTP status and the first 1 KB of the body; absent where no answer came. */
  code?: number | undefined;
  answer?: string | undefined;
  /** Why no answer came. */
  error?: string | undefined;
}

/** How a delivery stands after an attempt. Its body is kept as long as it may be sent again from here. */
export interface Logged extends Omit<Delivery, "body"> {
  status: "pending" | "delivered" | "failed";
  body?: string | undefined;
  nextAttemptAt?: string | undefined;
  last: Attempt;
}

/** What ids of deliveries of this time (ms since the epoch) begin with, and those of later ones come after. */
export const idPrefix = (time: number) => `msg_${String(time).padStart(13, "0")}_`;
const timeOf = (id: string) => Number(id.split("_")[1]);

const pendingKey = (workspace: string, { endpointId, dueAt, id }: Pick<Pending, "endpointId" | "dueAt" | "id">) =>
  keys.pendingDelivery(workspace, endpointId, dueAt, id);
/** The key last: what was read carries the key that it was read under. */
const pendingItem = (workspace: string, pending: Pending) => ({ ...pending, ...pendingKey(workspace, pending) });

/** Of deliveries that are new, those that neither wait nor were ever attempted. */
export async function unknown(workspace: string, deliveries: readonly Pending[]): Promise<Pending[]> {
  // One after the other: what is no longer waiting when asked for has been logged before.
  const waiting = await Table.getMany(deliveries.map((each) => pendingKey(workspace, each)));
  const logged = await Table.getMany(deliveries.map((each) => logKey(workspace, each)));
  return deliveries.filter((_, index) => !waiting[index] && !logged[index]);
}

export async function add(workspace: string, deliveries: readonly Pending[]): Promise<void> {
  await putAll(deliveries.map((each) => pendingItem(workspace, each)));
}

export const adding = (workspace: string, pending: Pending): Write => ({ put: pendingItem(workspace, pending) });

/** Up to `limit` that are due by `time`, the longest due first. */
export async function due(workspace: string, endpointId: string, time: number, limit: number): Promise<Pending[]> {
  const pk = keys.pendingDeliveries(workspace, endpointId);
  const upTo = keys.pendingDelivery(workspace, endpointId, time + 1, "").sk;
  return (await Table.query<Pending>({ pk, upTo, limit })).items;
}

/** When the next one is due, ms since the epoch; undefined: none is waiting. */
export async function nextDueAt(workspace: string, endpointId: string): Promise<number | undefined> {
  const { items } = await Table.query<Pending>({ pk: keys.pendingDeliveries(workspace, endpointId), limit: 1 });
  return items[0]?.dueAt;
}

/** Ends deliveries that succeeded. The log first: whatever happens in between, each is in one of the two places. */
export async function finish(workspace: string, done: readonly { pending: Pending; last: Attempt }[]): Promise<void> {
  await putAll(done.map(({ pending, last }) => logItem(workspace, pending, { status: "delivered", last })));
  await removeAll(done.map(({ pending }) => pendingKey(workspace, pending)));
}

/** After an attempt that failed: the next one is at `dueAt`; without it, there is none. False: it has ended meanwhile. */
export async function fail(workspace: string, pending: Pending, last: Attempt, dueAt?: number): Promise<boolean> {
  const removal: Write = { delete: pendingKey(workspace, pending), if: "present" };
  const tried = { attempts: pending.attempts + 1, tries: pending.tries + 1 };
  if (dueAt === undefined) {
    const entry = { status: "failed", last, body: pending.body } as const;
    return commit([removal, { put: logItem(workspace, pending, entry) }]);
  }
  const entry = { status: "pending", last, nextAttemptAt: new Date(dueAt).toISOString() } as const;
  const next = { ...pending, ...tried, dueAt };
  return commit([removal, adding(workspace, next), { put: logItem(workspace, pending, entry) }]);
}

/** What begins a failed delivery anew, as if it came now. */
export function retrying(workspace: string, { body = "", last, status: _, ...logged }: Logged, now: number): Write[] {
  const { id, endpointId, event, createdAt, attempts } = logged;
  const pending = { id, endpointId, event, createdAt, body, attempts, tries: 0, dueAt: now };
  const set = { status: "pending", tries: 0, nextAttemptAt: new Date(now).toISOString() };
  return [
    { update: logKey(workspace, logged), set, remove: ["body"], if: { status: "failed" } },
    adding(workspace, pending),
  ];
}

const logKey = (workspace: string, { endpointId, id }: Pick<Delivery, "endpointId" | "id">): Key =>
  keys.deliveryLog(workspace, endpointId, id);

function logItem(workspace: string, pending: Pending, outcome: Pick<Logged, "status" | "last" | "body">) {
  const { id, endpointId, event, createdAt, attempts, tries } = pending;
  const entry: Logged = { id, endpointId, event, createdAt, attempts: attempts + 1, tries: tries + 1, ...outcome };
  return { ...logKey(workspace, pending), ...entry, ttl: ttlAfter("delivery") };
}

export async function logged(workspace: string, endpointId: string, id: string): Promise<Logged | undefined> {
  return Table.get<Logged>(keys.deliveryLog(workspace, endpointId, id));
}

/** Those tried whose events are of `since` (ms since the epoch) or later, the earliest first, page after page. */
export function loggedSince(workspace: string, endpointId: string, since: number): AsyncGenerator<Logged[]> {
  return Table.all<Logged>({ ...range(workspace, endpointId), after: idPrefix(since) });
}

const range = (workspace: string, endpointId: string) => ({ pk: keys.deliveryLog(workspace, endpointId, "").pk });

/** Deliveries of one page, the newest event first: the log, and what waits for its first attempt. */
export async function page(workspace: string, endpointId: string, limit: number, after?: string) {
  const from = after === undefined ? {} : { after };
  // The waiting first: one that is attempted meanwhile is then found in the log.
  const waiting = await untried(workspace, endpointId, limit + 1, after);
  const tried = await Table.query<Logged>({
    ...range(workspace, endpointId),
    isDescending: true,
    limit: limit + 1,
    ...from,
  });
  const byId = new Map<string, Logged | Pending>([...waiting, ...tried.items].map((each) => [each.id, each]));
  // Beyond the last of either list lies what it did not reach.
  const reached = tried.next === undefined ? "" : (tried.items.at(-1)?.id ?? "");
  const sorted = [...byId.values()]
    .filter(({ id }) => id >= reached)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  const count = Math.min(limit, fitting(sorted));
  const isWhole = count >= sorted.length && tried.next === undefined;
  return { items: sorted.slice(0, count), next: isWhole ? undefined : sorted[count - 1]?.id };
}

/** Up to `limit` that wait for their first attempt, the newest first: each is due at its own time. */
async function untried(workspace: string, endpointId: string, limit: number, after?: string): Promise<Pending[]> {
  const pk = keys.pendingDeliveries(workspace, endpointId);
  const start =
    after === undefined ? {} : { after: keys.pendingDelivery(workspace, endpointId, timeOf(after), after).sk };
  const found: Pending[] = [];
  for await (const items of Table.all<Pending>({ pk, isDescending: true, limit: 1_000, ...start })) {
    found.push(...items.filter(({ attempts }) => attempts === 0));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

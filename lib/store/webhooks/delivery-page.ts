// One page of a webhook endpoint's deliveries, from the list of the pending ones and the log.
import { fitting, type Page, pageOf } from "../../dynamodb/page.ts";
import * as Table from "../../dynamodb/table.ts";
import { idPrefix, isKept, type Logged, loggedEntity, type Pending, pendingEntity } from "./delivery.ts";
import type { EndpointRef } from "./webhook-endpoint.ts";

const timeOf = (id: string) => Number(id.split("_")[1]);

/** Reads of pending deliveries for one page. Most of an old backlog has been attempted, and is skipped. */
const untriedReadsMax = 4;
const untriedPerRead = 1_000;
/** A list does not show bodies and earlier attempts: without them, more entries fit a page. */
const listed = ["id", "event", "createdAt", "attempts", "status", "nextAttemptAt", "last", "ttl"];
/** A worker whose clock is ahead makes deliveries that are due later than now. */
const clockSkewMs = 60_000;

/**
 * One page of deliveries, the newest event first: the logged ones, and those before their first attempt. It can be
 * short. A position is the id after which it continues, and the sort key of the pending delivery if that is another.
 */
export async function pageOfDeliveries(
  ref: EndpointRef,
  limit: number,
  from?: string,
): Promise<Page<Logged | Pending>> {
  const [after, pendingAfter] = from?.split(" ") ?? [];
  // Reads the pending ones first: a delivery that is attempted between the two reads is then found in the log.
  const waiting = await untried(ref, limit + 1, after, pendingAfter);
  const tried = await Table.queryFull<Logged>({
    ...loggedEntity.range(ref),
    isDescending: true,
    limit: limit + 1,
    after,
    attributes: listed,
  });
  const kept = tried.items.filter(isKept);
  const byId = new Map<string, Logged | Pending>([...waiting.items, ...kept].map((each) => [each.id, each]));
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
  if (shown.length < sorted.length) return pageOf(shown, shown.at(-1)?.id);
  return pageOf(shown, tried.next === undefined ? undefined : reachedInLog);
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
  let after = pendingFrom ?? pendingEntity.key({ ...ref, ...start }).sk;
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

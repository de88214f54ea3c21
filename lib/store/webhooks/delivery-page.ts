// Deliveries of a webhook endpoint, in pages and by id. Attempted deliveries come from the log. Deliveries without an
// attempt come from the list of pending deliveries. Such a delivery is due at the time in its id.
import { fillPage, type Page, type Position, pageOf } from "../../dynamodb/page.ts";
import { inRange } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import { hasEnded } from "../../retention.ts";
import { idPrefix, type Logged, loggedEntity, type Pending, pendingEntity } from "./delivery.ts";
import type { EndpointRef } from "./webhook-endpoint.ts";

/** A place in both lists: they are sorted by the time, and then by the id. */
type Place = Pick<Pending, "dueAt" | "id">;

/** Deliveries that a page reads of each list. Most of an old backlog has been attempted, and most of a log succeeds. */
const entriesMax = 2_500;
/** A list does not show bodies and earlier attempts: without them, more entries fit a page. */
const attributes = [
  ...["sk", "id", "event", "organizationId", "documentId", "createdAt", "attempts", "status", "nextAttemptAt", "dueAt"],
  ...["last", "ttl"],
];
/** How far a worker's clock can be ahead: its deliveries are due later than now. */
const clockSkewMs = 60_000;

/** The newest event first; with a status, only its deliveries. A page can be short, or empty with a position. */
export async function pageOfDeliveries(
  ref: EndpointRef,
  limit: number,
  from?: string,
  status?: Logged["status"],
): Promise<Page<Logged | Pending>> {
  const [dueAt, id = ""] = from?.split(" ") ?? [];
  const start = { dueAt: dueAt === undefined ? Date.now() + clockSkewMs : Number(dueAt), id };
  // The order of the reads matters: a delivery that is attempted between them is then found in the log.
  const pending = status === undefined || status === "pending" ? await untried(ref, limit, start) : { items: [] };
  const between = [pending.end ? idAt(pending.end) : idPrefix(0), idEnd] as const;
  const range = { ...loggedEntity.range(ref), between, attributes, isDescending: true };
  const isShown = (each: Logged) => !hasEnded(each) && (status ?? each.status) === each.status;
  const show = (entries: (Logged & Position)[]) => entries.map((each) => (isShown(each) ? each : undefined));
  const logged = await fillPage({ read: inRange<Logged>(range), show }, { limit, from: idAt(start), entriesMax });
  const tried = logged.items.map((each) => ({ ...each, dueAt: timeOf(each.id) }));
  const logEnd = logged.next === undefined ? undefined : { id: logged.next, dueAt: timeOf(logged.next) };
  const byId = new Map([...pending.items, ...tried].map((each) => [each.id, each]));
  const sorted = [...byId.values()].filter(({ id }) => !logEnd || id >= logEnd.id).sort(newestFirst);
  const items = sorted.slice(0, limit);
  const end = items.length < sorted.length ? items.at(-1) : (logEnd ?? pending.end);
  return pageOf(items, end && `${end.dueAt} ${end.id}`);
}

/** Up to `limit` pending deliveries before their first attempt. `end`: where the reading ended. */
async function untried(ref: EndpointRef, limit: number, start: Place): Promise<{ items: Pending[]; end?: Place }> {
  const read = new Map<string, Pending>();
  const list = {
    read: inRange<Pending>({ ...pendingEntity.range(ref), attributes, isDescending: true }),
    show(entries: (Pending & Position)[]) {
      for (const each of entries) read.set(each.sk, each);
      return entries.map((each) => (each.attempts === 0 ? each : undefined));
    },
  };
  const from = pendingEntity.key({ ...ref, ...start }).sk;
  const { items, next } = await fillPage(list, { limit, from, entriesMax });
  return { items, ...(next !== undefined && { end: read.get(next) ?? start }) };
}

/** The ids of shown deliveries begin with the times at which they are due. */
const newestFirst = (one: Place, other: Place) => (one.id < other.id ? 1 : -1);
/** Above every id. */
const idEnd = "msg_:";
const timeOf = (id: string) => Number(id.split("_")[1]);

/** An id: the logged deliveries behind the place have lower ids. */
const idAt = ({ dueAt, id }: Place) => (timeOf(id) === dueAt ? id : idPrefix(dueAt));

/** A worker can record an attempt between two reads. */
const readsMax = 4;

/**
 * Returns the delivery with its body, attempted or not; undefined if there is none, or if it is no longer kept. Until an
 * attempt succeeds or is the last one, only the pending item has the body.
 */
export async function oneDelivery(ref: EndpointRef, id: string): Promise<Logged | Pending | undefined> {
  let dueAt = firstDueAt(id);
  let found: Logged | undefined;
  for (let reads = 0; reads < readsMax; reads++) {
    const pendingKeys = dueAt === undefined ? [] : [pendingEntity.key({ ...ref, dueAt, id })];
    const [logged, pending] = await Table.getMany<object>([loggedEntity.key({ ...ref, id }), ...pendingKeys]);
    if (!logged && pending) return pending as Pending;
    if (!logged && reads > 0) return undefined;
    if (!logged) continue;
    found = logged as Logged;
    if (hasEnded(found)) return undefined;
    if (found.status !== "pending") return found;
    const { body } = (pending ?? {}) as Partial<Pending>;
    const next = Date.parse(found.nextAttemptAt ?? "");
    if (body !== undefined && dueAt === next) return { ...found, body };
    dueAt = next;
  }
  return found;
}

/**
 * Adds the bodies to deliveries from the log. The pending item of a waiting delivery has its body. A delivery whose
 * pending item has moved meanwhile is left out.
 */
export async function withBodies(ref: EndpointRef, deliveries: readonly Logged[]): Promise<Logged[]> {
  const waiting = deliveries.filter(({ status }) => status === "pending");
  const keys = waiting.map(({ id, nextAttemptAt = "" }) =>
    pendingEntity.key({ ...ref, dueAt: Date.parse(nextAttemptAt), id }),
  );
  const found = await Table.getMany<Pending>(keys);
  const bodies = new Map(waiting.map(({ id }, index) => [id, found[index]?.body]));
  const whole = deliveries.map((each) => (bodies.has(each.id) ? { ...each, body: bodies.get(each.id) } : each));
  return whole.filter(({ status, body }) => status !== "pending" || body !== undefined);
}

/** When the first attempt is due, ms since the epoch. The id begins with it. Undefined: it is no delivery's id. */
function firstDueAt(id: string): number | undefined {
  const [, time] = /^msg_(\d{13})_[\w-]+$/.exec(id) ?? [];
  return time === undefined || id.length > 200 ? undefined : Number(time);
}

/** Logged deliveries whose events are from `since` (ms since the epoch) or later, the earliest first, in pages. */
export async function* loggedSince(ref: EndpointRef, since: number): AsyncGenerator<Logged[]> {
  for await (const page of Table.all<Logged>({ ...loggedEntity.range(ref), after: idPrefix(since) })) {
    yield page.filter((each) => !hasEnded(each));
  }
}

// Deliveries to one webhook endpoint: the pending ones, ordered by due time, and the log of the attempted ones.
import { deleteAll, putAll } from "../../dynamodb/batch-write.ts";
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { ttlAfter } from "../../retention.ts";
import type { Descendants, WorkspaceRef } from "../refs.ts";
import { type EndpointRef, endpointPartition } from "./webhook-endpoint.ts";

/** One message to one endpoint. */
export interface Delivery {
  /** Begins with `idPrefix` of its time and the event's place in its call; the same on every attempt. */
  id: string;
  endpointId: string;
  event: string;
  /** What the event is about. Absent for an event of the workspace. */
  organizationId?: string | undefined;
  documentId?: string | undefined;
  createdAt: string;
  /** The body of the request, as it is sent. */
  body: string;
  /** All attempts so far. */
  attempts: number;
  /** Attempts since the last manual retry. */
  tries: number;
  /** `x-request-id` of the call that caused the event. Each attempt carries it. */
  causedBy?: string | undefined;
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

/** A delivery after an attempt. While it is pending, only the pending item has its body. */
export interface Logged extends Omit<Delivery, "body"> {
  status: "pending" | "delivered" | "failed";
  body?: string | undefined;
  nextAttemptAt?: string | undefined;
  last: Attempt;
  /** The attempts before the last one, the oldest first: at most 15. */
  earlier?: Attempt[] | undefined;
  /** Unix time in seconds. */
  ttl: number;
}

/** Eight attempts of the schedule, and eight of a manual retry. Older ones are dropped. */
const attemptsKept = 16;

/** The prefix of the ids of deliveries of this time (ms since the epoch). Ids of later deliveries sort after it. */
export const idPrefix = (time: number) => `msg_${String(time).padStart(13, "0")}_`;

const deliveryAttributes = [
  "id",
  "endpointId",
  "event",
  "organizationId",
  "documentId",
  "createdAt",
  "body",
  "attempts",
  "tries",
  "causedBy",
] as const;

export const pendingEntity = entity<Pending>()({
  name: "pending-delivery",
  attributes: [...deliveryAttributes, "dueAt"],
  pk: (ref: EndpointRef) => `${endpointPartition(ref)}#Q`,
  sk: ({ dueAt, id }: Pick<Pending, "dueAt" | "id">) => `${String(dueAt).padStart(13, "0")}#${id}`,
});

/** An id begins with its time, so the log is in the order of the events. */
export const loggedEntity = entity<Logged>()({
  name: "logged-delivery",
  attributes: [...deliveryAttributes, "status", "nextAttemptAt", "last", "earlier", "ttl"],
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

/** The deliveries among these that are neither pending nor in the log. */
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
  const former = await formerAttempts(
    ref,
    done.map(({ pending }) => pending),
  );
  await putAll(
    done.map(({ pending, last }) => {
      const result = { status: "delivered", last, body: pending.body } as const;
      return logging(ref, pending, { ...result, ...former(pending) });
    }),
  );
  await deleteAll(done.map(({ pending }) => pendingKey(ref, pending)));
}

/**
 * Records a failed attempt. The next one is at `dueAt` (ms since the epoch); without it, the delivery has failed.
 * Returns false when the delivery is no longer pending.
 */
export async function fail(ref: WorkspaceRef, pending: Pending, last: Attempt, dueAt?: number): Promise<boolean> {
  const earlier = (await formerAttempts(ref, [pending]))(pending);
  const removal = pendingEntity.delete({ ...ref, ...pending }, "present");
  if (dueAt === undefined) {
    const result = { status: "failed", last, body: pending.body, ...earlier } as const;
    return writeAll([removal, logging(ref, pending, result)]);
  }
  const next = { ...pending, attempts: pending.attempts + 1, tries: pending.tries + 1, dueAt };
  const result = { status: "pending", last, nextAttemptAt: new Date(dueAt).toISOString(), ...earlier } as const;
  return writeAll([removal, adding(ref, next), logging(ref, pending, result)]);
}

/** Reads the attempts that the log has of each delivery. Deliveries that were never attempted are not read. */
async function formerAttempts(ref: WorkspaceRef, deliveries: readonly Pending[]) {
  const tried = deliveries.filter(({ attempts }) => attempts > 0);
  const logged = await Table.getMany<Logged>(tried.map((each) => loggedKey(ref, each)));
  const byId = new Map(tried.map(({ id }, index) => [id, logged[index]]));
  return ({ id }: Pending): Pick<Logged, "earlier"> => {
    const log = byId.get(id);
    return log ? { earlier: attemptsOf(log).slice(1 - attemptsKept) } : {};
  };
}

/** The attempts that the log has, the oldest first. */
export const attemptsOf = ({ earlier = [], last }: Pick<Logged, "earlier" | "last">): Attempt[] => [...earlier, last];

/** The writes of a manual retry: they make a failed or waiting delivery due now. They fail if it has changed meanwhile. */
export function retrying(ref: WorkspaceRef, logged: Logged, now: number): Write[] {
  const { status, nextAttemptAt, body = "" } = logged;
  const pending = { ...lasting(logged), attempts: logged.attempts, body, tries: 0, dueAt: now };
  const set = { status: "pending", tries: 0, nextAttemptAt: new Date(now).toISOString() } as const;
  const place = { ...ref, ...pending, dueAt: Date.parse(nextAttemptAt ?? "") };
  // An erasure redacts bodies. Only the pending item of a delivery that waits has its body.
  const asRead = { status, nextAttemptAt, ...(nextAttemptAt === undefined && { body: logged.body }) };
  return [
    loggedEntity.update({ ...ref, ...logged }, { set, remove: ["body"] }, asRead),
    ...(nextAttemptAt === undefined ? [] : [pendingEntity.delete(place, { body })]),
    adding(ref, pending),
  ];
}

/** What stays the same over all attempts. */
const lasting = (of: Omit<Delivery, "body">) => {
  const { id, endpointId, event, organizationId, documentId, createdAt, causedBy } = of;
  return { id, endpointId, event, organizationId, documentId, createdAt, causedBy };
};

type AttemptResult = Pick<Logged, "status" | "last" | "body" | "nextAttemptAt" | "earlier">;

function logging(ref: WorkspaceRef, pending: Pending, result: AttemptResult) {
  const tried = { attempts: pending.attempts + 1, tries: pending.tries + 1 };
  return loggedEntity.put(
    { ...ref, ...pending },
    { ...lasting(pending), ...tried, ...result, ttl: ttlAfter("delivery") },
  );
}

// Creates one delivery for each event and each endpoint that matches it. The delivery's id is derived from both, so a
// repeated step creates no duplicate.
//
// A container keeps the endpoints of a workspace to decide who receives an event. An event has the version of the
// endpoints that its call read, and an older list is read again. So the receivers of an event are never chosen from a
// list that was changed before its call began.
import { noteCaused } from "../call.ts";
import { type DomainEvent, eventsIn, type OutboxPayload } from "../jobs/outbox.ts";
import { Lru } from "../lru.ts";
import type { Job } from "../store/job.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";
import * as Delivery from "../store/webhooks/delivery.ts";
import * as WebhookEndpoint from "../store/webhooks/webhook-endpoint.ts";
import { deliveryOf } from "./delivery-body.ts";
import { drainJob } from "./endpoint-jobs.ts";

/** Deliveries written together. */
const batchSize = 500;

interface FannedOut {
  /** The jobs to wake, which send the deliveries. */
  drains: Job[];
  /** The payload of another run, if `until` came first. Undefined: all events are done. */
  rest: OutboxPayload | undefined;
}

/** Stores the deliveries of the events of an outbox job. `until`: ms since the epoch. */
export async function fanOutEvents({ id, workspace, attempts, payload }: Job, until: number): Promise<FannedOut> {
  const outbox = payload as unknown as OutboxPayload;
  const { createdAt, version, first = 0, done = 0 } = outbox;
  const events = eventsIn(outbox);
  const isRepeated = attempts > 1 || outbox.isRepeated === true;
  const endpoints = events.length > 0 ? await endpointsOf({ workspace }, version) : [];
  const reached = new Set(outbox.wake);
  let batch: Delivery.Pending[] = [];
  let next = done;
  for (; next < events.length && (next === done || Date.now() < until); next++) {
    const event = events[next] as DomainEvent;
    const matching = endpoints.filter((endpoint) => matches(endpoint, event));
    batch.push(...matching.map((endpoint) => deliveryOf(event, createdAt, `${id} ${next}`, endpoint.id, first + next)));
    if (batch.length >= batchSize) await flush();
  }
  await flush();
  const drains = [...reached].map((endpointId) => drainJob({ workspace, endpointId }));
  return { drains, rest: next < events.length ? { ...outbox, done: next, isRepeated } : undefined };

  async function flush(): Promise<void> {
    for (const { endpointId, id } of batch) {
      reached.add(endpointId);
      noteCaused("deliveries", `${endpointId}/${id}`);
    }
    await Delivery.add({ workspace }, isRepeated ? await Delivery.unstored({ workspace }, batch) : batch);
    batch = [];
  }
}

/**
 * After this time, a list is compared with the stored version. So a deleted endpoint gets deliveries at most this long.
 * They are never attempted, and the purge of the endpoint deletes them: it begins later, and runs twice.
 */
const keptMs = 30_000;
/** Endpoints in all lists of a container. Most have less than 1 KB. */
const endpointsMax = 5_000;

interface List {
  version: number;
  endpoints: readonly Filter[];
  /** When it was last known to be current, ms since the epoch. */
  checkedAt: number;
}

const lists = new Lru<string, List>(endpointsMax, ({ endpoints }) => 1 + endpoints.length);

/** The endpoints of `version` or a later one. Without a version, the list is compared with the stored version. */
async function endpointsOf({ workspace }: WorkspaceRef, version?: number): Promise<readonly Filter[]> {
  const known = lists.get(workspace);
  if (known && isEnough(known, version) && Date.now() - known.checkedAt < keptMs) return known.endpoints;
  const list = await current({ workspace }, known);
  lists.set(workspace, list);
  return list.endpoints;
}

const isEnough = (list: List, version = Number.POSITIVE_INFINITY) => list.version >= version;

/** The version is read before the endpoints. A change between the two reads makes the list newer than its version. */
async function current(ref: WorkspaceRef, known: List | undefined): Promise<List> {
  const checkedAt = Date.now();
  const { version } = await Setting.get(ref, "webhooks");
  if (known?.version === version) return { ...known, checkedAt };
  const endpoints = await WebhookEndpoint.list(ref);
  return { version, endpoints: endpoints.map(filterOf), checkedAt };
}

/** An endpoint without its secrets. */
const filterOf = ({ id, disabled, filterTypes, channels }: WebhookEndpoint.WebhookEndpoint): Filter => ({
  id,
  disabled,
  filterTypes,
  channels,
});

/** The fields of an endpoint that decide which events it receives. A change of them raises the version of the list. */
type Filter = Pick<WebhookEndpoint.WebhookEndpoint, "id" | "disabled" | "filterTypes" | "channels">;

/**
 * Whether an endpoint receives an event: it is enabled, its filter includes the type, and it listens to one of the
 * event's channels. A filter or channel list that is not set excludes nothing.
 */
export function matches({ disabled, filterTypes, channels }: Omit<Filter, "id">, event: DomainEvent): boolean {
  if (disabled || (filterTypes && !filterTypes.includes(event.type))) return false;
  return !channels || channelsOf(event).some((channel) => channels.includes(channel));
}

function channelsOf({ organizationId, documentId }: DomainEvent): string[] {
  return [
    ...(organizationId ? [`organization:${organizationId}`] : []),
    ...(documentId === undefined ? [] : [`document:${documentId}`]),
  ];
}

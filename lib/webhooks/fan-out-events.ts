// Creates one delivery for each event and each endpoint that matches it. The delivery's id is derived from both, so a
// repeated step creates no duplicate.

import { appendJob } from "../activity/append-job.ts";
import { noteCaused } from "../call.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { wake } from "../jobs/wake.ts";
import * as Delivery from "../store/delivery.ts";
import type { Job } from "../store/job.ts";
import { drainJob } from "./drain-job.ts";
import { endpointsOf } from "./endpoint-list.ts";
import { matches } from "./matching.ts";
import { deliveryOf } from "./message.ts";

/** Deliveries written together. */
const batchSize = 500;

export interface OutboxPayload {
  events: DomainEvent[];
  createdAt: string;
  /** The version of the workspace's endpoints that the call read. */
  version?: number;
  /** The place of the first event among those of its call. */
  first?: number;
  /** Ids of organizations whose activity log has new entries. */
  activities?: string[];
  /** Ids of endpoints to wake, besides those that get a delivery. */
  wake?: string[];
  /** How far the messages of the events have come (`messages/fan-out-events.ts`). */
  messages?: object;
  /** Number of events that are done. */
  done?: number;
  /** An earlier run may have written deliveries that have ended by now. They must not be added again. */
  isRepeated?: boolean;
}

/** Returns the payload of another run if `until` (ms since the epoch) comes first; undefined: all events are done. */
export async function fanOutEvents(
  { id, workspace, attempts, payload }: Job,
  until: number,
): Promise<OutboxPayload | undefined> {
  const outbox = payload as unknown as OutboxPayload;
  const { events, createdAt, version, first = 0, done = 0, activities = [] } = outbox;
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
  await wake([...drains, ...activities.map((organizationId) => appendJob({ workspace, organizationId }))]);
  return next < events.length ? { ...outbox, done: next, isRepeated } : undefined;

  async function flush(): Promise<void> {
    for (const { endpointId, id } of batch) {
      reached.add(endpointId);
      noteCaused("deliveries", `${endpointId}/${id}`);
    }
    await Delivery.add({ workspace }, isRepeated ? await Delivery.unstored({ workspace }, batch) : batch);
    batch = [];
  }
}

// Creates one delivery for each event and each endpoint that matches it. The delivery's id is derived from both, so a
// repeated step creates no duplicate.
import { noteCaused } from "../call.ts";
import { type DomainEvent, eventsIn, type OutboxPayload } from "../jobs/outbox.ts";
import type { Job } from "../store/job.ts";
import * as Delivery from "../store/webhooks/delivery.ts";
import { deliveryOf } from "./delivery-body.ts";
import { drainJob } from "./endpoint-jobs.ts";
import { endpointsOf, matches } from "./endpoint-list.ts";

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

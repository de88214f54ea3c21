// From events to deliveries: one for each endpoint that wants an event. Its id is made from the event and the endpoint,
// so that a step run twice makes no second one.

import type { Job } from "../jobs/job.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { wake } from "../jobs/wake.ts";
import * as Delivery from "../store/delivery.ts";
import * as WebhookEndpoint from "../store/webhook-endpoint.ts";
import { drainJob } from "./drain-job.ts";
import { matches } from "./matching.ts";
import { deliveryOf } from "./message.ts";

/** Deliveries written together. */
const batchSize = 500;

export interface Outbox {
  events: DomainEvent[];
  createdAt: string;
  /** Endpoints whose deliveries are to run, whatever the events. */
  wake?: string[];
  /** How many events are done. */
  done?: number;
  /** An earlier run may have died after it wrote deliveries, which may be made by now. */
  isRepeated?: boolean;
}

/** Returns what is left for another run when `until` (ms since the epoch) comes first; undefined: nothing is left. */
export async function fanOutEvents(
  { id, workspace, attempts, payload }: Job,
  until: number,
): Promise<Outbox | undefined> {
  const outbox = payload as unknown as Outbox;
  const { events, createdAt, done = 0 } = outbox;
  const isRepeated = attempts > 1 || outbox.isRepeated === true;
  const endpoints = events.length > 0 ? await WebhookEndpoint.list({ workspace }) : [];
  const reached = new Set(outbox.wake);
  let batch: Delivery.Pending[] = [];
  let next = done;
  for (; next < events.length && (next === done || Date.now() < until); next++) {
    const event = events[next] as DomainEvent;
    const wanting = endpoints.filter((endpoint) => matches(endpoint, event));
    batch.push(...wanting.map((endpoint) => deliveryOf(event, createdAt, `${id} ${next}`, endpoint.id)));
    if (batch.length >= batchSize) await flush();
  }
  await flush();
  await wake([...reached].map((endpointId) => drainJob(workspace, endpointId)));
  return next < events.length ? { ...outbox, done: next, isRepeated } : undefined;

  async function flush(): Promise<void> {
    for (const { endpointId } of batch) reached.add(endpointId);
    await Delivery.add({ workspace }, isRepeated ? await Delivery.unknown({ workspace }, batch) : batch);
    batch = [];
  }
}

// From events to deliveries: one for each endpoint that wants an event, under an id made of the two.
import type { DomainEvent } from "../jobs/outbox.ts";
import type { Job } from "../jobs/queue.ts";
import { wake } from "../jobs/wake.ts";
import * as Delivery from "../store/delivery.ts";
import * as WebhookEndpoint from "../store/webhook-endpoint.ts";
import { drainJob } from "./drain-job.ts";
import { matches } from "./matching.ts";
import { deliveryOf } from "./message.ts";

/** Deliveries written together. */
const lotSize = 500;

export interface Outbox {
  events: DomainEvent[];
  createdAt: string;
  /** Endpoints that have something else to do. */
  wake?: string[];
  /** Events that are done with. */
  done?: number;
  /** An earlier run may have died on the way, and what it had written may be delivered already. */
  isRepeated?: boolean;
}

/** What is left for another run; undefined: nothing, unless `until` (ms since the epoch) came first. */
export async function fanOut({ id, workspace, attempts, payload }: Job, until: number): Promise<Outbox | undefined> {
  const outbox = payload as unknown as Outbox;
  const { events, createdAt, done = 0 } = outbox;
  const isRepeated = attempts > 1 || outbox.isRepeated === true;
  const endpoints = events.length > 0 ? await WebhookEndpoint.list(workspace) : [];
  const reached = new Set(outbox.wake);
  let lot: Delivery.Pending[] = [];
  let next = done;
  for (; next < events.length && (next === done || Date.now() < until); next++) {
    const event = events[next] as DomainEvent;
    const wanting = endpoints.filter((endpoint) => matches(endpoint, event));
    lot.push(...wanting.map((endpoint) => deliveryOf(event, createdAt, `${id} ${next}`, endpoint.id)));
    if (lot.length >= lotSize) await flush();
  }
  await flush();
  await wake([...reached].map((endpointId) => drainJob(workspace, endpointId)));
  return next < events.length ? { ...outbox, done: next, isRepeated } : undefined;

  async function flush(): Promise<void> {
    for (const { endpointId } of lot) reached.add(endpointId);
    await Delivery.add(workspace, isRepeated ? await Delivery.unknown(workspace, lot) : lot);
    lot = [];
  }
}

import { chunks } from "../concurrency.ts";
import { ApiError } from "../errors.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Delivery from "../store/webhooks/delivery.ts";
import { loggedSince, oneDelivery, withBodies } from "../store/webhooks/delivery-page.ts";
import type { EndpointRef } from "../store/webhooks/webhook-endpoint.ts";
import { wakeJob } from "./endpoint-jobs.ts";

const retriedMax = 1_000;
/** Deliveries whose bodies are read together. */
const readTogether = 100;
/** A worker can have begun an attempt that is due soon: then its delivery must not move. */
const soonMs = 60_000;
/** A caller repeats the call while there are more. Deliveries that fail again wait so long only after their third try. */
const laterMs = 600_000;

/**
 * Restarts deliveries that have failed or wait for their next attempt. With `id`: this delivery. Throws NOT_FOUND if there
 * is no such delivery. With `since` (ms since the epoch): up to 1,000 deliveries of events from then on, the earliest
 * first. Of those that wait, it takes those that wait more than 10 minutes.
 */
export async function retryFailed(
  ref: EndpointRef,
  wanted: { id: string } | { since: number },
): Promise<{ retried: number; hasMore: boolean }> {
  const { workspace, endpointId } = ref;
  const failed = "id" in wanted ? await failedOne(ref, wanted.id) : await failedSince(ref, wanted.since);
  const now = Date.now();
  const units = failed.slice(0, retriedMax).map((each) => ({ writes: Delivery.retrying(ref, each, now) }));
  const restarted = await commitEach(units, (done) => ({
    jobs: done.length > 0 ? [wakeJob(workspace, [endpointId])] : [],
  }));
  return { retried: restarted.filter(Boolean).length, hasMore: failed.length > retriedMax };
}

async function failedOne(ref: EndpointRef, id: string): Promise<Delivery.Logged[]> {
  const found = await oneDelivery(ref, id);
  if (!found || !("status" in found)) {
    throw new ApiError("NOT_FOUND", "The delivery does not exist, or was never attempted.");
  }
  return found.status === "failed" || (found.body !== undefined && waits(found, soonMs)) ? [found] : [];
}

/** Whether the next attempt is later than in so many milliseconds. */
const waits = ({ nextAttemptAt = "" }: Delivery.Logged, ms: number) => Date.parse(nextAttemptAt) > Date.now() + ms;

async function failedSince(ref: EndpointRef, time: number): Promise<Delivery.Logged[]> {
  const failed: Delivery.Logged[] = [];
  for await (const page of loggedSince(ref, time)) {
    const some = page.filter((each) => each.status === "failed" || waits(each, laterMs));
    for (const group of chunks(some, readTogether)) {
      failed.push(...(await withBodies(ref, group)));
      if (failed.length > retriedMax) return failed;
    }
  }
  return failed;
}

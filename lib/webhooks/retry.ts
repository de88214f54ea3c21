import { ApiError } from "../errors.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Delivery from "../store/webhooks/delivery.ts";
import { loggedSince, oneDelivery } from "../store/webhooks/delivery-page.ts";
import type { EndpointRef } from "../store/webhooks/webhook-endpoint.ts";
import { wakeJob } from "./endpoint-jobs.ts";

const retriedMax = 1_000;
/** A worker can have begun an attempt that is due soon: then its delivery must not move. */
const soonMs = 60_000;

/**
 * Restarts deliveries. With `id`: this delivery, if it has failed or waits for its next attempt. Throws NOT_FOUND if
 * there is no such delivery. With `since` (ms since the epoch): up to 1,000 failed deliveries of events from then on,
 * the earliest first.
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
  const isWaiting = found.body !== undefined && Date.parse(found.nextAttemptAt ?? "") > Date.now() + soonMs;
  return found.status === "failed" || isWaiting ? [found] : [];
}

async function failedSince(ref: EndpointRef, time: number): Promise<Delivery.Logged[]> {
  const failed: Delivery.Logged[] = [];
  for await (const page of loggedSince(ref, time)) {
    failed.push(...page.filter(({ status }) => status === "failed"));
    if (failed.length > retriedMax) break;
  }
  return failed;
}

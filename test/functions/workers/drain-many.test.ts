// Many deliveries at once: the runs share their reads, and none of them fails.
import { expect, it, vi } from "vitest";
import { drain } from "../../../functions/workers/drain.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { wake } from "../../../lib/jobs/wake.ts";
import * as Delivery from "../../../lib/store/webhooks/delivery.ts";
import { deliveryOf } from "../../../lib/webhooks/delivery-body.ts";
import { drainJob } from "../../../lib/webhooks/endpoint-jobs.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { receive } from "../../support/run-worker.ts";
import { addEndpoint, eventOf, hooked, receiver } from "../../support/webhooks.ts";

/** Endpoints with 50 pending deliveries each, every one caused by another call. Returns the ids of their drain jobs. */
async function backlog(workspace: string, url: string, endpoints: number): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < endpoints; count++) {
    const { id } = await addEndpoint(workspace, { url });
    const at = new Date().toISOString();
    const pending = Array.from({ length: 50 }, (_, index) => ({
      ...deliveryOf(eventOf(workspace, `d${index}`), at, `origin${index}`, id),
      causedBy: `call${index}`,
    }));
    await Delivery.add({ workspace }, pending);
    const job = drainJob({ workspace, endpointId: id });
    await wake([job]);
    ids.push(job.id);
  }
  return ids;
}

it("attempts that start together share their read of the endpoint, also those of different calls", async () => {
  const workspace = (await hooked()).apiKey;
  const { received, url } = await receiver();
  const ids = await backlog(workspace, url, 1);
  const reads: string[] = [];
  interceptStore(({ constructor: { name } }) => {
    if (name === "BatchGetCommand") reads.push(name);
  });
  await receive(drain, ids);
  vi.restoreAllMocks();
  expect(received).toHaveLength(50);
  expect(new Set(received.map(({ headers }) => headers["x-request-id"])).size).toBe(50);
  expect(reads).toHaveLength(1);
});

it("ten endpoints with 50 deliveries each are served in one invocation", async () => {
  const workspace = (await hooked()).apiKey;
  const { received, url } = await receiver();
  const ids = await backlog(workspace, url, 10);
  expect(await receive(drain, ids)).toEqual([]);
  expect(received).toHaveLength(500);
  for (const id of ids) expect(await Job.get(id)).toMatchObject({ state: "done", attempts: 1 });
});

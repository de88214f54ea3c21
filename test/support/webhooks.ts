// Fixtures of the tests of webhooks: a workspace with endpoints, a local receiver, and the workers.
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { drain } from "../../functions/workers/drain.ts";
import { fanout } from "../../functions/workers/fanout.ts";
import { httpServer } from "../../infra/local/listen.ts";
import type { DomainEvent } from "../../lib/jobs/outbox.ts";
import * as Job from "../../lib/jobs/store.ts";
import * as Setting from "../../lib/store/setting.ts";
import type * as Delivery from "../../lib/store/webhooks/delivery.ts";
import { pageOfDeliveries } from "../../lib/store/webhooks/delivery-page.ts";
import * as WebhookEndpoint from "../../lib/store/webhooks/webhook-endpoint.ts";
import { createEndpoint, type EndpointFields, switchWebhooks } from "../../lib/webhooks/configure.ts";
import { drainJob } from "../../lib/webhooks/endpoint-jobs.ts";
import { newWorkspace } from "./call.ts";
import { jobsOf } from "./jobs.ts";
import { deliver, storeJob } from "./run-worker.ts";

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

/** A server that records every request and replies to it, until the test ends. */
export async function receiver(respond: (response: ServerResponse, request: Received) => void = (each) => each.end()) {
  const received: Received[] = [];
  const server = httpServer(async (request, response) => {
    const at = Date.now();
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ headers: request.headers, body, at });
    respond(response, received.at(-1) as Received);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}/hooks?a=b` };
}

/** A new workspace with webhooks switched on. */
export async function hooked(): Promise<{ apiKey: string; authToken: string }> {
  const as = await newWorkspace();
  await switchWebhooks({ workspace: as.apiKey }, true);
  return as;
}

export async function addEndpoint(workspace: string, fields: EndpointFields & { url: string }) {
  const ref = { workspace };
  const [switches, webhooks] = [await Setting.get(ref, "switches"), await Setting.get(ref, "webhooks")];
  return createEndpoint(ref, fields, { switches, webhooks });
}

export const eventOf = (workspace: string, documentId = "d", more: Partial<DomainEvent> = {}): DomainEvent => ({
  type: "document.add",
  workspace,
  organizationId: "o",
  documentId,
  data: { documentId },
  ...more,
});

/** Stores an outbox job with these events. Returns its id. */
export const outbox = (workspace: string, ...events: DomainEvent[]) =>
  storeJob("fanout", workspace, { eventsJson: JSON.stringify(events), createdAt: new Date().toISOString() });

/** Sends events through fanout, then runs each endpoint's drain. */
export async function emit(workspace: string, ...events: DomainEvent[]): Promise<void> {
  await deliver(fanout, [await outbox(workspace, ...events)]);
  await runDrains(workspace);
}

/** Runs the workspace's waiting fanout jobs, then each endpoint's drain. */
export async function runWaiting(workspace: string): Promise<void> {
  const jobs = await jobsOf({ apiKey: workspace }, "fanout");
  await deliver(
    fanout,
    jobs.map(({ id }) => id),
  );
  await runDrains(workspace);
}

/** Runs each endpoint's drain once, whether it is due or not. */
export async function runDrains(workspace: string): Promise<void> {
  const endpoints = await WebhookEndpoint.list({ workspace });
  const ids = endpoints.map(({ id }) => drainJob({ workspace, endpointId: id }).id);
  await deliver(drain, ids);
}

export const drainJobOf = (workspace: string, endpointId: string) =>
  Job.get(drainJob({ workspace: workspace, endpointId: endpointId }).id);

/** All deliveries of the endpoint's list, the newest event first. A page of it can be short. */
export async function deliveriesOf(workspace: string, endpointId: string): Promise<Delivery.Logged[]> {
  const items: (Delivery.Logged | Delivery.Pending)[] = [];
  let from: string | undefined;
  do {
    const page = await pageOfDeliveries({ workspace, endpointId }, 100, from);
    items.push(...page.items);
    from = page.next;
  } while (from !== undefined);
  return items as Delivery.Logged[];
}

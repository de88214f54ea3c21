// The costs that limit a deployment, before and after they were lowered: `before` and `goal` are those of the review
// that found them, `now` is measured with the bundles.
import { endpoints as declared } from "../../../infra/deployables.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { webhookEndpointEntity } from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { handlerOf } from "../../support/bundles.ts";
import { eventOf } from "../../support/event.ts";
import { wavesOf } from "../barrier.ts";
import { type Credentials, contextOf } from "../event.ts";
import { type Line, takeLines } from "../log-lines.ts";
import { printTable } from "../table.ts";
import { hooked, must, startReceiver } from "../webhooks/service.ts";
import { runJobs } from "./jobs.ts";

const organizationId = "ceilings";
const endpointCount = 400;

interface Ceiling extends Record<string, unknown> {
  cost: string;
  before: number;
  goal: number;
  now: number;
}

/** Measures each cost in its steady state: what the first call or job of a container reads once is not counted. */
export async function ceilings(): Promise<Ceiling[]> {
  const receiver = await startReceiver();
  try {
    const rows = [...(await ofWebhooks(receiver.url)), ...(await ofIdempotencyKey())];
    printTable("Ceilings", rows);
    return rows;
  } finally {
    receiver.stop();
  }
}

async function ofWebhooks(url: string): Promise<Ceiling[]> {
  const as = await hooked(organizationId);
  await must(as, "webhook-endpoints-create", { url, filterTypes: ["document.add"] });
  await fillEndpoints(as);
  await emit(as, "first");
  const quiet = await hooked(organizationId);
  const silent = (await addDocument(quiet, "first", {})).writeUnits;
  const { call, jobs } = await emit(as, "second");
  const units = [call.writeUnits - silent, ...jobs.map(({ writeUnits }) => writeUnits)];
  const fanout = jobs.find(({ worker }) => worker === "fanout");
  return [
    { cost: `fanout job at ${endpointCount} endpoints, RCU`, before: 52, goal: 2, now: fanout?.readUnits ?? 0 },
    { cost: "webhook delivery on its own, WCU", before: 23, goal: 12, now: units.reduce((sum, each) => sum + each, 0) },
  ];
}

/** More endpoints than a workspace may have by default, of 500 bytes, that do not want the event. */
async function fillEndpoints({ apiKey: workspace }: Credentials): Promise<void> {
  const at = "2026-01-01T00:00:00.000Z";
  const endpoint = {
    url: "https://example.com",
    disabled: false,
    filterTypes: ["user.add"],
    createdAt: at,
    updatedAt: at,
  };
  const secrets = [{ sealed: "x".repeat(300) }];
  const ids = Array.from({ length: endpointCount - 1 }, (_, index) => `e${index}`);
  await putAll(ids.map((id) => webhookEndpointEntity.put({ workspace, endpointId: id }, { ...endpoint, id, secrets })));
}

/** Adds a document, then runs the jobs until its event is delivered. */
async function emit(as: Credentials, documentId: string) {
  const call = await addDocument(as, documentId, {});
  await runJobs(as.apiKey);
  const jobs = takeLines().filter(({ message }) => message === "job") as (Line & { worker: string })[];
  return { call, jobs };
}

async function ofIdempotencyKey(): Promise<Ceiling[]> {
  const as = await hooked(organizationId);
  await addDocument(as, "first", { "idempotency-key": "first" });
  const { roundTrips, kmsCalls } = await addDocument(as, "second", { "idempotency-key": "second" });
  const events = ["third", "fourth"].map((id) => addition(as, id, { "idempotency-key": id }));
  const { waves } = await wavesOf("documents-add", events);
  return [
    { cost: "documents-add with an Idempotency-Key, requests", before: 5, goal: 3, now: roundTrips },
    { cost: "documents-add with an Idempotency-Key, trips one after another", before: 5, goal: 3, now: waves },
    { cost: "documents-add with an Idempotency-Key, KMS calls", before: 1, goal: 0, now: kmsCalls },
  ];
}

function addition(as: Credentials, documentId: string, headers: Record<string, string>): object {
  const endpoint = declared.find(({ name }) => name === "documents-add");
  if (!endpoint) throw new Error("There is no endpoint documents-add.");
  return eventOf(endpoint, { as, data: { organizationId, documents: [{ documentId }] }, headers });
}

/** Adds a document and returns the log line of the call. */
async function addDocument(as: Credentials, documentId: string, headers: Record<string, string>): Promise<Line> {
  const event = addition(as, documentId, headers);
  takeLines();
  const handler = await handlerOf("documents-add");
  const { statusCode, body } = (await handler(event, contextOf())) as { statusCode: number; body: string };
  if (statusCode !== 200) throw new Error(`documents-add returned ${statusCode}: ${body}`);
  return takeLines().find(({ message }) => message === "call") as Line;
}

// npm run bench -- --webhooks: the time until an event arrives, the deliveries a second and their AWS calls, the delay
// that receivers without replies cause for others, and the number of runs that an endpoint with a rate limit needs.
import { setTimeout as sleep } from "node:timers/promises";
import type { LocalSqs } from "../../../infra/local/sqs.ts";
import { wake } from "../../../lib/jobs/wake.ts";
import * as Delivery from "../../../lib/store/webhooks/delivery.ts";
import { deliveryOf } from "../../../lib/webhooks/delivery-body.ts";
import { drainJob } from "../../../lib/webhooks/endpoint-jobs.ts";
import type { Credentials } from "../event.ts";
import { takeLines } from "../log-lines.ts";
import { printTable } from "../table.ts";
import { hooked, must, type Receiver, startReceiver, startWorkers } from "./service.ts";

const organizationId = "hooks";
const kilobyte = "x".repeat(700);

const endpointOf = async (as: Credentials, url: string, rateLimit?: number): Promise<string> =>
  (await must(as, "webhook-endpoints-create", { url, ...(rateLimit && { rateLimit }) })).id;

/** Measures the time from the reply to a change until its event arrives, at `perSecond` changes a second. */
async function latency(receiver: Receiver, perSecond: number, seconds: number) {
  const as = await hooked(organizationId);
  await endpointOf(as, receiver.url);
  const count = perSecond * seconds;
  const repliedAt = new Map<string, number>();
  receiver.arrivals.length = 0;
  const arrived = receiver.arrived(count);
  const startedAt = performance.now();
  const changes = Array.from({ length: count }, async (_, index) => {
    await sleep(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
    await must(as, "documents-add", { organizationId, documents: [{ documentId: `d${index}` }] });
    repliedAt.set(`d${index}`, Date.now());
  });
  await Promise.all([...changes, arrived]);
  const waits = receiver.arrivals.map(({ id, at }) => Math.max(0, at - (repliedAt.get(id) ?? at)));
  const sorted = waits.toSorted((one, other) => one - other);
  const percentile = (share: number) => sorted[Math.min(count - 1, Math.floor(share * count))];
  return { "events a second": perSecond, events: count, "p50 ms": percentile(0.5), "p99 ms": percentile(0.99) };
}

/** Adds `each` deliveries of 1 KB that are due now to each of these endpoints. */
async function fill({ apiKey }: Credentials, endpointIds: readonly string[], each: number): Promise<void> {
  const at = new Date().toISOString();
  const deliveries = endpointIds.flatMap((endpointId) =>
    Array.from({ length: each }, (_, index) => {
      const data = { documentId: `d${index}`, documentName: kilobyte };
      const event = { type: "document.add", workspace: apiKey, organizationId, data } as const;
      return deliveryOf(event, at, `${index}`, endpointId);
    }),
  );
  await Delivery.add({ workspace: apiKey }, deliveries);
}

const start = ({ apiKey }: Credentials, endpointIds: readonly string[]) =>
  wake(endpointIds.map((id) => drainJob({ workspace: apiKey, endpointId: id })));

async function throughput(receiver: Receiver, count: number) {
  const as = await hooked(organizationId);
  const ids = [await endpointOf(as, receiver.url)];
  await fill(as, ids, count);
  receiver.arrivals.length = 0;
  takeLines();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const arrived = receiver.arrived(count);
  await start(as, ids);
  await arrived;
  const jobs = await runsOf(as, ids[0] as string, 1);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const sum = (of: "roundTrips" | "readUnits" | "writeUnits" | "kmsCalls") =>
    jobs.reduce((total, job) => total + job[of], 0) / count;
  return {
    deliveries: count,
    "a second": Math.round(count / seconds),
    "a second and core": Math.round(count / ((user + system) / 1_000_000)),
    attempts: receiver.arrivals.length / count,
    trips: sum("roundTrips").toFixed(3),
    RCU: sum("readUnits").toFixed(2),
    WCU: sum("writeUnits").toFixed(2),
    KMS: sum("kmsCalls").toFixed(4),
  };
}

/** Waits until `count` runs of an endpoint have ended. Returns their log lines. */
async function runsOf({ apiKey }: Credentials, endpointId: string, count: number) {
  const { id } = drainJob({ workspace: apiKey, endpointId });
  const ended: ReturnType<typeof takeLines> = [];
  for (;;) {
    ended.push(...takeLines().filter(({ job }) => job === id));
    if (ended.length >= count) return ended;
    await sleep(20);
  }
}

/** Seconds until 90 responding endpoints have all their deliveries, beside `dead` endpoints that never respond. */
async function living(receiver: Receiver, dead: number, each: number): Promise<number> {
  const as = await hooked(organizationId);
  const count = 90;
  const ids: string[] = [];
  for (let index = 0; index < count + dead; index++) {
    ids.push(await endpointOf(as, `${receiver.url}/${index < dead ? "dead" : "living"}`));
  }
  await fill(as, ids, each);
  receiver.arrivals.length = 0;
  const arrived = receiver.arrived(count * each);
  const startedAt = performance.now();
  await start(as, ids);
  await arrived;
  return (performance.now() - startedAt) / 1_000;
}

/** Counts the runs of an endpoint with `rateLimit` 1 and 10,000 pending deliveries, in `seconds` seconds. */
async function slowest(receiver: Receiver, seconds: number) {
  const as = await hooked(organizationId);
  const ids = [await endpointOf(as, receiver.url, 1)];
  await fill(as, ids, 10_000);
  receiver.arrivals.length = 0;
  takeLines();
  await start(as, ids);
  await sleep(seconds * 1_000);
  const runs = await runsOf(as, ids[0] as string, 0);
  return { seconds, pending: 10_000, arrived: receiver.arrivals.length, "runs ended": runs.length };
}

export async function webhookFigures(sqs: LocalSqs, quick: boolean) {
  const receiver = await startReceiver();
  const workers = startWorkers(sqs);
  try {
    const rates = [
      [1, quick ? 5 : 20],
      [10, quick ? 3 : 10],
      [100, quick ? 2 : 10],
    ] as const;
    const latencies = [];
    for (const [perSecond, seconds] of rates) latencies.push(await latency(receiver, perSecond, seconds));
    printTable("Webhooks: time from the reply to a change until its event arrives", latencies);
    const throughputs = [await throughput(receiver, 1_000), await throughput(receiver, quick ? 2_000 : 10_000)];
    printTable("Webhooks: deliveries of 1 KB to a fast receiver, and the AWS calls of each", throughputs);
    const each = quick ? 10 : 40;
    const alone = [await living(receiver, 0, each), await living(receiver, 0, each)];
    const beside = await living(receiver, 10, each);
    const share = Math.min(...alone) / beside;
    const rows = [
      { "90 living, s": Math.min(...alone).toFixed(2), "with 10 dead, s": beside.toFixed(2), share: share.toFixed(2) },
    ];
    printTable("Webhooks: throughput to living receivers beside dead ones (target ≥ 0.9)", rows);
    const rate = await slowest(receiver, quick ? 10 : 65);
    printTable("Webhooks: rateLimit 1 (a run lasts 30 s)", [rate]);
    return { latencies, throughputs, dead: rows, rate };
  } finally {
    workers.stop();
    receiver.stop();
  }
}

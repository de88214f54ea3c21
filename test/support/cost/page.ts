// The texts of infra/COSTS.md and test/contract/costs.txt.
import { workers } from "../../../infra/deployables.ts";
import { table } from "../../../infra/readme/table.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { alarmMetrics } from "./alarm-metrics.ts";
import { day, dayOfJobs, monthOf, type Named, needsOf, storedGb, users, workingDays } from "./month.ts";
import { coldShare, logBytes, outsideMs, priced, prices, pricesOf, waitsMs } from "./prices.ts";
import { durationMs, ofCalls, ofJobs, startMs, type Usage } from "./usage.ts";

export interface Measured {
  calls: { endpoint: Endpoint; plain: Usage; withKey?: Usage }[];
  /** Of a user's call, and of the same call of a server. */
  users: { user: Usage; server: Usage }[];
  jobs: (Usage & { what: string; runs: number; metrics: number })[];
}

const minutesOfMonth = 43_800;
/** Lambda waits for messages of a queue with five requests at once, each of 20 s. */
const receivesOfMonth = 5 * 3 * minutesOfMonth;
const callsPerSecond = 100_000;
/** A deployment is planned for this share of its quotas. */
const load = 0.5;

const dollars = (amount: number) => amount.toFixed(2);
const whole = (count: number) => Math.round(count).toLocaleString("en-US");
const few = (count: number) => String(Math.round(count * 10) / 10);

export function page(measured: Measured): string {
  const named: Named = {
    calls: new Map(measured.calls.map(({ endpoint, ...usages }) => [endpoint.name, usages])),
    jobs: new Map(measured.jobs.map((job) => [job.name, job])),
  };
  const sections = [
    head,
    usersPart(measured),
    jobsPart(measured),
    idlePart(measured),
    monthPart(named),
    cellsPart(named),
  ];
  return `${[...sections, assumptionsPart()].join("\n\n")}\n`;
}

const head = `# What it costs

[costs.txt](../test/contract/costs.txt) has the price of a million calls of each endpoint. \`test/contract/costs.long.test.ts\` makes it and this page, from a typical call of each endpoint and a typical job of each worker in a warm container. Request units of DynamoDB (RRU, WRU) and requests are exact. A transaction doubles those of the table, but not of the index, which is written [after it](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html) ([measured](https://github.com/nubo-db/dynoxide/pull/188)). Durations are the CPU time of \`test/bench/result.json\` and the waits of the last section. \`test/support/cost/prices.ts\` has the prices of ${pricesOf.region} with their pages, looked up on ${pricesOf.date}, without the free tier.`;

/** A line for each endpoint. */
export function callLines({ calls }: Measured): string {
  const sorted = calls.toSorted((one, other) => (one.endpoint.path < other.endpoint.path ? -1 : 1));
  const lines = sorted.map(({ endpoint, plain, withKey }) => {
    const units = `${plain.readUnits}/${plain.writeUnits} units`;
    const others = `${plain.kmsCalls}/${plain.fileReads + plain.fileWrites}/${plain.queueSends} requests`;
    const price = `$${dollars(ofCalls(plain))}`;
    const keyed = withKey ? `, with key $${dollars(ofCalls(withKey))}` : "";
    return `${endpoint.path}: ${units}, ${others}, ${few(durationMs(plain))} ms, ${price}${keyed}`;
  });
  const meaning =
    "A million calls of each endpoint: read/write request units, requests to KMS/S3/SQS, duration, price. `with key`: the price with an Idempotency-Key.";
  return `${meaning}\n\n${lines.join("\n")}\n`;
}

/** Without the calls that the user may not make as the server does: they write less. */
function usersPart({ users }: Measured): string {
  const same = users.filter(({ user, server }) => user.writeUnits === server.writeUnits);
  const more = same.map(({ user, server }) => ofCalls(user) - ofCalls(server));
  return `A user's call costs $${dollars(Math.min(...more))} to $${dollars(Math.max(...more))} a million more than a server's.`;
}

function jobsPart({ jobs }: Measured): string {
  const rows = jobs.map((job) => [
    `\`${job.name}\``,
    job.what,
    String(job.runs),
    `${job.readUnits}/${job.writeUnits}`,
    `${job.kmsCalls}/${job.fileReads + job.fileWrites}/${job.queueSends}`,
    few(durationMs(job)),
    dollars(ofJobs(job)),
  ]);
  return `## A million jobs

A job of several runs is priced as one invocation of that length. Events that come together cost much less each (\`test/bench/webhooks.json\`).

${table(["Worker", "What", "Runs", "RRU/WRU", "KMS/S3/SQS", "ms", "$"], rows)}`;
}

function idlePart({ jobs }: Measured): string {
  const sweeper = jobs.find(({ name }) => name === "sweeper");
  const metrics = sweeper?.metrics ?? 0;
  const queues = workers.filter(({ kind }) => kind === "queue").length;
  const rows: [string, number][] = [
    ["one KMS key", priced("kmsKey", 1)],
    [`alarms with ${alarmMetrics} metrics, in a deployment with \`emailFrom\``, priced("alarm", alarmMetrics)],
    [`Lambda's requests to ${queues} empty queues`, priced("emptyReceive", queues * receivesOfMonth)],
    ["the sweeper, each minute", sweeper ? (ofJobs(sweeper) * minutesOfMonth) / 1e6 : 0],
    [`the ${metrics} metrics of its log lines`, priced("metric", metrics)],
  ];
  const total = rows.reduce((sum, [, each]) => sum + each, 0);
  const shown = [...rows, ["**together**", total] as const].map(([what, each]) => [what, dollars(each)]);
  return `## A month without calls

${table(["What", "$"], shown)}

The service's other metrics cost ${dollars(prices.metric.dollars)} each in a month in which they appear.`;
}

function monthPart(named: Named): string {
  const { rows, storage, mail, mailsInMonth, total } = monthOf(named);
  const assumed = [...day, ...dayOfJobs];
  const shown = rows.map(({ name, inMonth, dollars: amount }, index) => {
    const { count, why } = assumed[index] ?? { count: 0, why: "" };
    return [`\`${name}\``, String(count), why, whole(inMonth), dollars(amount)];
  });
  const others = [
    ["SES", "", "the mails that `message` sends", whole(mailsInMonth), dollars(mail)],
    [`${storedGb} GB stored`, "", "", "", dollars(storage)],
    ["**together**", "", "", "", dollars(total)],
  ];
  return `## A month of a workspace with ${whole(users)} users

Each user works on ${workingDays} days. The workspace stores ${storedGb} GB. The first columns are assumptions: replace them with your own numbers.

${table(["Call or job", "For each user and day", "Because", "In the month", "$"], [...shown, ...others])}

The workspace has no live messages here. With them, its users' connections for two hours a day would cost 0.21 dollars, and their subscriptions 2.64. A million messages, sent or received, cost 1 dollar, and a million calls of \`live-open\` what costs.txt says. These are [AWS's prices](https://aws.amazon.com/appsync/pricing/), which no deployment has verified. While nobody listens, it costs nothing.

With an activity log, an event costs up to five write units more, and a share of a run of \`activity\`.`;
}

function cellsPart(named: Named): string {
  const needs = needsOf(named, callsPerSecond);
  const rows = needs.map(({ what, need, quota }) => [what, whole(need), whole(quota), few(need / (quota * load))]);
  const cells = Math.ceil(Math.max(...needs.map(({ need, quota }) => need / (quota * load))));
  const { total } = monthOf(named);
  const calls = monthOf(named).rows.reduce((sum, { isCall, inMonth }) => sum + (isCall ? inMonth : 0), 0);
  const perMillion = (total / calls) * 1e6;
  return `## ${whole(callsPerSecond)} calls a second

The calls and jobs are as in that month. A deployment uses ${load * 100} % of AWS's usual quotas of one account and region. [CELLS.md](CELLS.md) says how several deployments work together.

${table(["What", "Needed", "Quota", "Deployments"], rows)}

So ${cells} deployments are enough. A million calls of this mix cost ${dollars(perMillion)} dollars, with their jobs and their storage. ${whole(callsPerSecond)} calls in each second of a month would cost ${whole(((perMillion * callsPerSecond) / 1e6) * 60 * minutesOfMonth)} dollars.`;
}

function assumptionsPart(): string {
  const { trip, kms, file, queue } = waitsMs;
  const outside = Object.entries(outsideMs).map(([name, ms]) => `\`${name}\` ${whole(ms)}`);
  return `## Assumptions

- A function waits ${trip} ms for a request to DynamoDB, ${kms} ms for KMS, ${file} ms for S3 and ${queue} ms for SQS. Requests at the same time are counted one after the other.
- A function waits for other servers, in ms: ${outside.join(", ")}.
- ${coldShare * 100} % of the invocations start a container, with ${few(startMs)} ms of CPU time.
- An invocation logs ${whole(logBytes)} bytes.
- Not included: transfer to the internet, the prices of AI vendors, and stored logs.`;
}

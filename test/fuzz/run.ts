// npm run fuzz [-- --seconds N] [--requests N] [--seed S] [--clients N] [--servers N] [--soft] [--raised] [--keep]
//
// Clients send random requests to the local service on the hard engine. The service is killed now and then. The replies
// are compared with a model. The exit code is 1 when something was found.
// --soft: the engine disturbs nothing. --raised: it disturbs four times as often.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import type { Credentials } from "../support/event.ts";
import { Random } from "../support/random.ts";
import { Client } from "./client.ts";
import { prepareIds } from "./ids.ts";
import { type Neighbours, Player } from "./player.ts";
import { Report } from "./report.ts";
import { Service } from "./service.ts";
import { Shared } from "./shared.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;
const { values: options } = parseArgs({
  options: {
    seconds: text,
    requests: text,
    seed: text,
    clients: { ...text, default: "8" },
    servers: { ...text, default: "1" },
    soft: flag,
    raised: flag,
    keep: flag,
  },
});
if (options.soft && options.raised) throw new Error("--raised has no effect with --soft.");
const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));
// The processes of the service get it.
if (options.raised) process.env.NODE_OPTIONS = `--import=${script("raised.ts")}`;
const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 31));
const requestsMax = Number(options.requests ?? Number.POSITIVE_INFINITY);
const secondsMax = Number(options.seconds ?? (options.requests === undefined ? 30 : Number.POSITIVE_INFINITY));
/** Between two kills of a server, in ms: after a start, functions are slow for a minute. A short run has one kill. */
const [killMin, killMax] = [Math.min(120_000, secondsMax * 350), Math.min(360_000, secondsMax * 600)];
const progressMs = 60_000;

const root = mkdtempSync(join(tmpdir(), "fuzz-"));
const report = new Report(seed, join(root, "findings.txt"));
console.log(`seed ${seed}, folder ${root}`);
prepareIds(seed);

const random = new Random(`${seed}`);
let endsAt = Number.POSITIVE_INFINITY;
let isStopped = false;
const isOver = () => isStopped || Date.now() >= endsAt || report.requests >= requestsMax;
process.on("SIGINT", () => {
  isStopped = true;
});

/** The address of a webhook ends with its workspace. Fails now and then, so that deliveries are repeated. */
const receiver = createServer(async (request, response) => {
  const body = (await request.toArray()).join("");
  const [, expected] = request.url?.split("/") ?? [];
  const { workspace } = JSON.parse(body || "{}");
  // Addresses of model vendors lead here too.
  if (expected?.startsWith("ws_") && workspace !== expected)
    report.find(`A webhook of ${expected} got an event of another: ${body}`);
  report.note("webhook deliveries");
  response.statusCode = random.chance(0.9) ? 200 : 500;
  response.end();
});
await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

const run = promisify(execFile);

/** Adds workspaces, each with an auth token. */
async function newWorkspaces(dir: string, count: number): Promise<Credentials[]> {
  const { stdout } = await run(process.execPath, [script("workspaces.ts"), dir, `${count}`]);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

/** Jobs that have ended as failed. */
async function failedJobs(dir: string): Promise<object[]> {
  const list = ["jobs", "list", "--state", "failed", "--json", "--data", dir];
  const { stdout } = await run(process.execPath, [script("../../infra/admin.ts"), ...list]);
  return JSON.parse(stdout);
}

interface Site {
  service: Service;
  players: Player[];
  clients: Client[];
}

async function openSite(index: number, names: string[]): Promise<Site> {
  const hard = (start: number) => ["--hard", "--seed", `${(seed + start) % 1e9}`];
  const argsOf = (start: number) => ["--demo-ai", ...(options.soft ? [] : hard(start))];
  const service = new Service(join(root, `data-${index}`), report, argsOf);
  await service.start();
  const [shared, ...own] = await newWorkspaces(service.dir, names.length + 1);
  const facts = new Shared();
  const pageTokens: Neighbours["pageTokens"] = [];
  const clients: Client[] = [];
  const newClient = (name: string, as: Credentials) => {
    const client = new Client(name, new Random(`${seed} ${name}`), as, service, report);
    Object.assign(client, { isOver, pageTokens });
    clients.push(client);
    return client;
  };
  const common = newClient("common", shared as Credentials);
  await facts.prepare(common);
  const neighbours: Neighbours = {
    shared: facts,
    demo: service.demo,
    receiver: receiverUrl,
    pageTokens,
    seenIds: [],
  };
  const players = names.map((name, at) => {
    return new Player(newClient(name, own[at] as Credentials), newClient(`${name}-shared`, common.as), neighbours);
  });
  return { service, players, clients };
}

async function killNowAndThen({ service }: Site): Promise<void> {
  while (!isOver()) {
    const at = Date.now() + killMin + random.below(killMax - killMin + 1);
    while (Date.now() < at && !isOver()) await sleep(200);
    if (!isOver()) await service.kill();
  }
}

async function play(player: Player): Promise<void> {
  while (!isOver()) await player.next();
  await player.compare();
}

const names = Array.from({ length: Number(options.clients) }, (_, index) => `client-${index}`);
const servers = Number(options.servers);
const sites: Site[] = [];
for (let index = 0; index < servers; index++) {
  const own = names.filter((_, at) => at % servers === index);
  sites.push(await openSite(index, own));
}
const startedAt = Date.now();
endsAt = startedAt + secondsMax * 1_000;
const progress = setInterval(() => {
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  console.log(`${seconds} s: ${report.requests} requests, ${report.findings.length} findings`);
}, progressMs);

await Promise.all(sites.flatMap((site) => [killNowAndThen(site), ...site.players.map(play)]));
clearInterval(progress);
const seconds = (Date.now() - startedAt) / 1_000;
for (const { service, clients } of sites) {
  for (const client of clients) client.close();
  await service.stop();
  for (const job of await failedJobs(service.dir)) report.find(`A job has failed: ${JSON.stringify(job)}`);
}
receiver.close();
const { requests, findings } = report;
const serverMs = sites.reduce((sum, { service }) => sum + service.cpuMs, 0);
const perRequest = (ms: number) => (ms / requests).toFixed(1);
const share = Math.round((100 * report.countOf("OK")) / requests);
console.log(`\n${report.summary()}\n`);
console.log(
  `CPU time of a request: ${perRequest(serverMs)} ms in the server, ${perRequest(process.cpuUsage().user / 1_000)} ms here`,
);
console.log(
  `seed ${seed}: ${requests} requests in ${Math.round(seconds)} s (${Math.round(requests / seconds)}/s), ` +
    `${share} % OK, ${findings.length} findings`,
);
if (findings.length > 0) console.log(`All findings and the server's log are in ${root}`);
else if (!options.keep) rmSync(root, { recursive: true, force: true });
process.exit(findings.length > 0 ? 1 : 0);

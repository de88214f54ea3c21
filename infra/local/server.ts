// Runs the whole service on this machine: its sources, with local engines in place of AWS.
import { ScanCommand, type ScanCommandOutput } from "@aws-sdk/lib-dynamodb";
import { chunks } from "../../lib/concurrency.ts";
import { onTable, send } from "../../lib/dynamodb/client.ts";
import { suggestPaths } from "../../lib/http/nearest.ts";
import { jobsOf, pageSize } from "../../lib/jobs/list.ts";
import { sendPointers } from "../../lib/jobs/queue.ts";
import * as Job from "../../lib/jobs/store.ts";
import { endpoints, plainPaths, queueVariable, sourceQueueOf, workers } from "../deployables.ts";
import { folderConsole } from "./console.ts";
import { dataFolder } from "./data-folder.ts";
import { type Demo, demoWorkspace } from "./demo.ts";
import { startDemoAi } from "./demo-ai.ts";
import { demoSite } from "./demo-site.ts";
import { openEngines } from "./engines.ts";
import { createGateway, type ServedCall } from "./gateway.ts";
import { invoker } from "./invoke.ts";
import { requireKnownFormat } from "./known-format.ts";
import { listen } from "./listen.ts";
import { createLive, httpPath, realtimePath } from "./live/live.ts";
import { loadSource } from "./load-source.ts";
import { lockServer, noteAddress, runningServer } from "./lock.ts";
import { keepLogLines } from "./log-file.ts";
import { startSenders } from "./senders.ts";
import { startSqs } from "./sqs.ts";
import { StartError } from "./start-error.ts";
import { runWorkers } from "./workers.ts";

export interface ServerOptions {
  port: number;
  dir: string;
  /** Whether a local server with canned replies replaces the AI vendors. */
  demoAi: boolean;
  /** Whether outbound requests to this machine are blocked, as in a deployment. */
  strictEgress: boolean;
  /** The seed of engines that are as hard as AWS. Without it, they disturb nothing. */
  hardSeed: number | undefined;
  /** Whether there is the page /demo, which gives tokens of the example's users to pages of this machine. */
  example?: boolean;
  /** Gets each call after its reply. */
  onCall?: ((call: ServedCall) => void) | undefined;
  /** Gets the path of the file of each message that would leave the service. */
  onMessage?(path: string): void;
  /** Gets lines of the console for the terminal. They can have keys. */
  onNotice?(line: string): void;
  onError(thrown: unknown): void;
}

/** AWS's limit of an authorizer. */
const authorizerSeconds = 10;
/** The handler that the stack gives to the namespace `aware`. Without it, nobody can publish there. */
const awareHandler = new URL("../stack/live/aware-on-publish.js", import.meta.url).href;
const loopback = "127.0.0.0/8,::1/128";

export interface RunningServer {
  url: string;
  demo: Demo;
  /** The address that opens the console for changes. It works once; then there is another one. */
  consoleAddress(): string;
  close(): Promise<void>;
}

/** Starts the service. If the start fails, everything already started is closed again. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const closers: Closer[] = [];
  const close = async () => {
    for (let last = closers.pop(); last; last = closers.pop()) await last();
  };
  try {
    return { ...(await start(options, closers)), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

type Closer = () => void | Promise<void>;

async function start(options: ServerOptions, closers: Closer[]) {
  const { port, dir, demoAi, strictEgress, hardSeed, example, onCall, onMessage, onNotice, onError } = options;
  const folder = dataFolder(dir);
  const unlock = lockServer(folder);
  if (!unlock) throw new StartError(anotherServer(folder));
  closers.push(unlock);
  closers.push(keepLogLines(folder));

  // Listens first, so that a port in use fails before anything else starts. Requests wait until the service is ready.
  const ready = Promise.withResolvers<void>();
  const load = async (name: string) => {
    await ready.promise;
    return loadSource(name);
  };
  suggestPaths(plainPaths());
  const own = folderConsole(folder, onNotice);
  const authorizer = invoker(load, "live-authorize", authorizerSeconds);
  const handlers = { aware: async () => (await import(awareHandler)).onPublish };
  const live = createLive({ authorizer, handlers, hardSeed, onError });
  const known = Promise.withResolvers<Demo & { url: string }>();
  const page: typeof own.site = example ? demoSite(known.promise) : async () => false;
  const site: typeof own.site = async (...call) =>
    (await live.site(...call)) || (await page(...call)) || own.site(...call);
  const gateway = createGateway({ endpoints, load, site, isUpgrade: live.isUpgrade, onCall, onError });
  gateway.on("upgrade", live.upgrade);
  const listening = await listen(gateway, port);
  const { url } = listening;
  const close = () => {
    // The port stays open until the last WebSocket has ended.
    live.close();
    return listening.close();
  };
  closers.push(close);
  noteAddress(folder, url);

  const queueWorkers = workers.filter((each) => each.kind === "queue");
  const sqs = await startSqs(
    workers.flatMap((each) => sourceQueueOf(each) ?? []),
    { hardSeed },
  );
  closers.push(sqs.close);
  const engines = await openEngines(folder, { sqs, hardSeed });
  closers.push(engines.close);
  closers.push(
    (
      await startSenders({
        folder,
        onMessage,
        onFeedback: (event) => void sqs.queue("feedback").send({ body: JSON.stringify(event) }),
      })
    ).close,
  );
  await requireKnownFormat();
  for (const { jobs } of queueWorkers) process.env[queueVariable(jobs)] = sqs.urlOf(jobs);
  process.env.TOKEN_ISSUER = url;
  process.env.PUBLIC_URL = url;
  process.env.LIVE_HTTP_URL = url + httpPath;
  process.env.LIVE_REALTIME_URL = `ws${url.slice("http".length)}${realtimePath}`;
  if (!strictEgress) process.env.EGRESS_ALLOW_CIDRS = loopback;

  const demo = await demoWorkspace(folder);
  if (demoAi) closers.push((await startDemoAi()).close);
  await resumeJobs();
  closers.push(runWorkers({ workers, load, sqs, onError }).stop);
  // The port closes first, because calls in flight need the engines until they have replied.
  closers.push(close);
  ready.resolve();
  own.ready(url, demo);
  known.resolve({ url, ...demo });
  return { url, demo, consoleAddress: () => own.address(url) };
}

function anotherServer(folder: string): string {
  const { pid, url } = runningServer(folder) ?? {};
  const what = pid === undefined ? "" : ` (pid ${pid}${url ? `, ${url}` : ""})`;
  const stop = pid === undefined ? "Stop it" : `Use it, stop it with: kill ${pid}`;
  return `Another server is running on the data folder ${folder}${what}. ${stop}, or choose another folder with --data.`;
}

/**
 * The local queues lose their messages when the process ends. The next start sends a message for every job that has not
 * ended. It also ends the leases of running jobs: the lock of the data folder proves that no other worker runs.
 */
async function resumeJobs(): Promise<void> {
  const now = Date.now();
  for await (const entries of listed()) {
    const jobs = (await jobsOf(entries)).filter(({ state }) => state !== "failed");
    for (const job of jobs) if (job.state === "running") await Job.postpone(job, now);
    await sendPointers(jobs.map((job) => (job.state === "running" ? { ...job, dueAt: now } : job)));
  }
}

/** All jobs that are not done, in lists. One scan of the index costs less than a query of each partition. */
async function* listed(): AsyncGenerator<{ id: string }[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const command = new ScanCommand({ ...onTable(), IndexName: "sweep", ...(after && { ExclusiveStartKey: after }) });
    const { Items = [], LastEvaluatedKey } = await send<ScanCommandOutput>(command, "read");
    yield* chunks(Items as { id: string }[], pageSize);
    after = LastEvaluatedKey;
  } while (after);
}

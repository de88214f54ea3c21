// Runs before each file of the exact tests. They share processes, so each file begins with the same environment, empty
// engines in memory and empty caches.
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { pointAtLocal } from "../../../infra/local/environment.ts";
import { jobKinds } from "../../../lib/grants.ts";
import { newTableInMemory } from "../engine/in-memory.ts";
import { memoryUrl } from "../engine/memory-url.ts";
import { emptyServices, queueUrlOf } from "../engine/services-in-memory.ts";
import { longSeed } from "../long.ts";
import { expectNoComplaints, newContainers, separateContainers } from "./containers.ts";
import { drawAs, drawFromNames } from "./draws.ts";
import { stretchLimits } from "./limits.ts";
import { readInThisProcess } from "./reader.ts";
import { clients, enforceRoles } from "./role.ts";

const shared = globalThis as {
  environmentOfTests?: NodeJS.ProcessEnv;
  sends?: (typeof clients)[number]["prototype"]["send"][];
};
if (!shared.environmentOfTests) {
  shared.environmentOfTests = { ...process.env };
  drawFromNames();
  separateContainers();
  readInThisProcess();
  stretchLimits();
  enforceRoles();
  shared.sends = clients.map(({ prototype }) => prototype.send);
}

// A mocked client of an earlier file.
for (const [index, { prototype }] of clients.entries()) prototype.send = shared.sends?.[index] ?? prototype.send;
for (const name of Object.keys(process.env)) delete process.env[name];
Object.assign(process.env, shared.environmentOfTests, {
  // Tests make more calls of a workspace in a second than a client would.
  WORKSPACE_CALLS_PER_SECOND: "1000000",
  EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
  // Nothing listens there. `test/support/live.ts` has an engine.
  LIVE_HTTP_URL: "http://127.0.0.1:1/event",
  LIVE_REALTIME_URL: "ws://127.0.0.1:1/event/realtime",
});
for (const kind of jobKinds) process.env[`QUEUE_URL_${kind.toUpperCase()}`] = queueUrlOf(kind);
pointAtLocal({ dynamodb: memoryUrl, kms: memoryUrl, s3: memoryUrl, sqs: memoryUrl });

const { testPath = "" } = expect.getState();
const file = testPath.slice(testPath.lastIndexOf("/test/"));
drawAs(file);
newContainers();
newTableInMemory();
emptyServices();

if (process.env.REACH_FILE) (await import("./record-reach.ts")).recordReach(process.env.REACH_FILE);

const seen = new Map<string, number>();
beforeEach(({ task }) => {
  const count = (seen.get(task.name) ?? 0) + 1;
  seen.set(task.name, count);
  drawAs(`${longSeed ?? ""} ${file} ${expect.getState().currentTestName} ${count}`);
});

afterEach(expectNoComplaints);

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

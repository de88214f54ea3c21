// What typical calls and jobs cost: infra/COSTS.md and costs.txt.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { activity } from "../../functions/workers/activity.ts";
import { draft } from "../../functions/workers/draft.ts";
import { drain } from "../../functions/workers/drain.ts";
import { fanout } from "../../functions/workers/fanout.ts";
import { ingest } from "../../functions/workers/ingest.ts";
import { merge } from "../../functions/workers/merge.ts";
import { message } from "../../functions/workers/message.ts";
import { migrate } from "../../functions/workers/migrate.ts";
import { notify } from "../../functions/workers/notify.ts";
import { purge } from "../../functions/workers/purge.ts";
import { handler as sweep, sweeper } from "../../functions/workers/sweeper.ts";
import type { LocalSes } from "../../infra/local/ses.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { commit } from "../../lib/jobs/commit.ts";
import type { QueueWorker } from "../../lib/jobs/worker.ts";
import * as Setting from "../../lib/store/setting.ts";
import { drainJob } from "../../lib/webhooks/endpoint-jobs.ts";
import { type Credentials, contextOf, eventOf } from "../support/call.ts";
import { furnishedWorkspace, prepareFurniture } from "../support/contract/furnished-workspace.ts";
import { dataOf, named, posts } from "../support/contract/requests.ts";
import { callAs, usagesOf } from "../support/cost/calls.ts";
import { metered, startMeter } from "../support/cost/meter.ts";
import { callLines, type Measured, page } from "../support/cost/page.ts";
import { base64, typed } from "../support/crdt.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { later } from "../support/fake-dates.ts";
import { jobsOf } from "../support/jobs.ts";
import { deliver } from "../support/run-worker.ts";
import { sesForFile } from "../support/senders.ts";
import { startVendorServer, type VendorServer } from "../support/vendor.ts";
import { addEndpoint, receiver } from "../support/webhooks.ts";

let vendor: VendorServer;
let ses: LocalSes;
const measured: Measured = { calls: [], users: [], jobs: [] };

beforeAll(async () => {
  vendor = await startVendorServer();
  ses = await sesForFile();
  await prepareFurniture();
  vi.stubEnv("INGEST_BUDGET_SECONDS", "0");
  vi.stubEnv("LIVE_HTTP_URL", "http://127.0.0.1:1/event");
  vi.stubEnv("LIVE_REALTIME_URL", "ws://127.0.0.1:1/event/realtime");
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vendor.behave(JSON.stringify({ answer: "Yes.", citations: [] }));
  newTableInMemory();
  startMeter();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(async () => {
  vendor.close();
  await ses.close();
  vi.unstubAllEnvs();
});

/** A workspace with a model, whose credentials, settings and data key this process has already read. */
async function warmWorkspace(endpoint?: Endpoint): Promise<Credentials> {
  const as = await furnishedWorkspace(endpoint);
  await commit([Setting.updating({ workspace: as.apiKey }, "ai", { openaiBaseUrl: vendor.baseUrl("openai") })]);
  await callAs(as, named("domains-add"), { domains: ["warm.example"] }, "warm");
  await callAs(as, named("documents-get"), { organizationId: "acme" });
  if (endpoint?.name === "emailconfig-test") {
    await commit([Setting.updating({ workspace: as.apiKey }, "email", { useEmailService: true })]);
    await callAs(as, endpoint, { email: "warm@example.com" });
  }
  return as;
}

it.each(posts)("the call $name", async (endpoint) => {
  // The address of its example has complained, so no mail goes there.
  const isTestMail = endpoint.name === "emailconfig-test";
  const data = isTestMail ? { email: "bob@example.com" } : dataOf(endpoint);
  const as = await warmWorkspace(endpoint);
  if (!endpoint.isWrite) await callAs(as, endpoint, data);
  const plain = await metered(endpoint, () => callAs(as, endpoint, data));
  expect(plain.runs).toBe(1);
  measured.calls.push({ endpoint, plain });
  if (!endpoint.isWrite) return;
  newTableInMemory();
  const again = await warmWorkspace(endpoint);
  const withKey = await metered(endpoint, () => callAs(again, endpoint, data, "key"));
  measured.calls.splice(-1, 1, { endpoint, plain, withKey });
});

it.each(posts.filter(({ users }) => users))("a user's call $name", async (endpoint) => {
  const [, known] = await usagesOf(endpoint);
  measured.users.push(known ?? expect.fail());
});

/** Runs the workspace's jobs of a kind until none is left. */
async function runAll(worker: QueueWorker, as: Credentials): Promise<void> {
  for (let jobs = await jobsOf(as, worker.jobs); jobs.length > 0; jobs = await jobsOf(as, worker.jobs)) {
    later(61);
    const failed = await deliver(
      worker,
      jobs.map(({ id }) => id),
    );
    expect(failed).toEqual([]);
  }
}

async function measureJob(worker: QueueWorker, as: Credentials, what: string): Promise<void> {
  const usage = await metered(worker, () => runAll(worker, as));
  expect(usage.runs).toBeGreaterThan(0);
  measured.jobs.push({ what, ...usage });
}

it("the jobs fanout and message", async () => {
  const as = await warmWorkspace();
  const bob = { userId: "bob", email: "bob@example.com" };
  const members = { organizationId: "acme", users: [{ userId: "alice" }, bob] };
  await callAs(as, named("users-add"), { ...members, accessRole: "viewer" });
  await callAs(as, named("emailconfig-update"), { useEmailService: true });
  for (const annotationId of ["warm", "measured"]) {
    const comment = { commentId: "first", from: { userId: "alice" }, text: "Shall we?", taggedUsers: [bob] };
    const comments = [{ annotationId, from: { userId: "alice" }, comments: [comment] }];
    const place = { organizationId: "acme", documentId: "plan", location: { id: "page-1" } };
    await callAs(as, named("documents-data-add"), { ...place, comments });
    const fanned = await metered(fanout, () => runAll(fanout, as));
    const sent = await metered(message, () => runAll(message, as));
    if (annotationId === "warm") continue;
    expect(ses.mails.slice(-2).map(({ to }) => to)).toEqual([[bob.email], [bob.email]]);
    measured.jobs.push({ what: "a comment that mentions one user", ...fanned });
    measured.jobs.push({ what: "one mail", ...sent });
  }
});

it.each([
  [10, "ten events of an organization, in one run"],
  [1, "one event of an organization"],
])("the job activity: %d", async (count, what) => {
  const as = await warmWorkspace();
  const add = (documentId: string) =>
    callAs(as, named("documents-add"), { organizationId: "acme", documents: [{ documentId }] });
  const unitsOf = async (id: string) => (await metered(named("documents-add"), () => add(id))).writeUnits;
  const unlogged = await unitsOf("unlogged");
  await callAs(as, named("activityconfig-update"), { activityServiceConfig: { isEnabled: true } });
  later(2);
  const logged = await unitsOf("logged");
  await addEndpoint(as.apiKey, { url: "http://127.0.0.1:9/" });
  later(2);
  // The page of a month names these numbers. With webhooks, the call has a job of its events anyway.
  expect([logged - unlogged, (await unitsOf("delivered")) - logged]).toEqual([5, 0]);
  await runAll(fanout, as);
  await runAll(activity, as);
  for (let index = 0; index < count; index++) await add(`logged-${index}`);
  await runAll(fanout, as);
  await measureJob(activity, as, what);
});

it("the jobs fanout and drain", async () => {
  const as = await warmWorkspace();
  const { url } = await receiver();
  const { id: endpointId } = await addEndpoint(as.apiKey, { url });
  const job = drainJob({ workspace: as.apiKey, endpointId }).id;
  for (const documentId of ["warm", "measured"]) {
    await callAs(as, named("documents-add"), { organizationId: "acme", documents: [{ documentId }] });
    const fanned = await metered(fanout, () => runAll(fanout, as));
    const drained = await metered(drain, () => deliver(drain, [job]));
    if (documentId === "warm") continue;
    measured.jobs.push({ what: "one event to one endpoint", ...fanned });
    measured.jobs.push({ what: "one delivery that succeeds", ...drained });
  }
});

it("the job notify", async () => {
  const as = await warmWorkspace();
  const data = { ...dataOf(named("notifications-add")), context: null, notifyAll: false };
  await callAs(as, named("notifications-add"), data);
  await measureJob(notify, as, "one notification to one user");
});

// The page of a month takes the last job of a worker.
it("a deletion of a folder, and an erasure", async () => {
  const as = await warmWorkspace();
  await callAs(as, named("folders-add"), { organizationId: "acme", folders: [{ folderId: "going" }] });
  const documents = Array.from({ length: 10 }, (_, index) => ({ documentId: `in-${index}` }));
  await callAs(as, named("documents-add"), { organizationId: "acme", folderId: "going", documents });
  await callAs(as, named("folders-delete"), { organizationId: "acme", folderIds: ["going"], recursive: true });
  await measureJob(purge, as, "a folder with ten empty documents, all passes");
  await callAs(as, named("users-data-delete"), { userIds: ["bob"] });
  await measureJob(purge, as, "the erasure of a user from a small workspace");
});

it("the job purge", async () => {
  const as = await warmWorkspace();
  await callAs(as, named("documents-delete"), { organizationId: "acme", documentIds: ["plan"] });
  await measureJob(purge, as, "a document with a few items, all passes");
});

it("the job merge", async () => {
  const as = await warmWorkspace();
  const editor = { organizationId: "acme", documentId: "plan", editorId: "typed" };
  await callAs(as, named("crdt-add"), { ...editor, type: "text", data: "" });
  for (const update of typed([..."x".repeat(258)])) {
    await callAs(as, named("crdt-update"), { ...editor, update: base64(update) });
  }
  await measureJob(merge, as, "258 changes of one character");
});

it("the job migrate", async () => {
  const as = await warmWorkspace();
  await callAs(as, named("documents-add"), { organizationId: "acme", documents: [{ documentId: "old" }] });
  const data = { organizationId: "acme", documentId: "old", newDocumentId: "new" };
  await callAs(as, named("documents-migrate"), data);
  await measureJob(migrate, as, "one document");
});

it("the jobs ingest and draft", async () => {
  const as = await warmWorkspace(named("ask-ai"));
  const answer = { agents: [], skipped: [], summary: "None.", totalTasksParsed: 1 };
  vendor.behave(JSON.stringify(answer));
  const fileBase64 = Buffer.from("Task\nCheck the title.\n").toString("base64");
  const { handler } = await import("../../functions/models-and-agents/agents-extract.ts");
  const event = eventOf(named("agents-extract"), { as, data: { fileBase64, mimeType: "text/csv" } });
  await handler(event as never, contextOf("agents-extract") as never);
  await measureJob(ingest, as, "a small file");
  await measureJob(draft, as, "the tasks of a small file");
});

it("the sweeper", async () => {
  await warmWorkspace();
  const run = () => sweep({}, contextOf("sweeper", 60_000) as never);
  measured.jobs.push({ what: "each minute, without overdue jobs", ...(await metered(sweeper, run)) });
});

it("the costs are those in infra/COSTS.md and costs.txt; after a wanted change, run `npm run update`", async () => {
  await expect(page(measured)).toMatchFileSnapshot("../../infra/COSTS.md");
  await expect(callLines(measured)).toMatchFileSnapshot("costs.txt");
});

// The jobs of a rehearsal: calls whose jobs the workers run, and lost messages that the sweeper sends again.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { startDemoAi } from "../../infra/local/demo-ai.ts";
import { listen } from "../../infra/local/listen.ts";
import { beginErasure } from "../../lib/deletion/erase-user.ts";
import { workspacePurgeJob } from "../../lib/deletion/purge-job.ts";
import { jobKinds } from "../../lib/grants.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { newJob } from "../../lib/jobs/job.ts";
import * as Blob from "../../lib/store/blob.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { type Credentials, must, newWorkspace } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { dataOf, named } from "../support/contract/requests.ts";
import { itemsOf } from "../support/scan.ts";
import type { Statement } from "./aws/policy.ts";
import type { Rehearsal, Started } from "./rehearsal.ts";
import { type Row, rowOf } from "./report.ts";
import type { Run } from "./runtime/process.ts";

const organizationId = "acme";
/** Longer than the sweeper's grace and than the first pause of a job. */
const overdueMs = 20 * 60_000;
/** A run of the sweeper reads half of the partitions. Each half is read twice, because a job that is throttled waits. */
const sweepMinutes = 4;

/** Runs all workers, each with its own role or that in `roles`, by function. */
export async function rehearseJobs(rehearsal: Rehearsal, roles: Record<string, Statement[]> = {}): Promise<Row[]> {
  const outside = await startOutside();
  const started = new Map<string, Started>();
  for (const kind of jobKinds) started.set(kind, await rehearsal.start(kind, roles[kind]));
  const sweeper = await rehearsal.start("sweeper", roles.sweeper);
  const as = await furnishedWorkspace();
  const model = await startDemoAi(as.apiKey);
  try {
    const extraction = await extract(rehearsal, as, started);
    const runs = extraction.runs;
    await sendToWorkers(rehearsal, as, outside.url);
    runs.push(...(await rehearsal.runJobs(as.apiKey, started)));
    const lost = await loseMessages(as);
    rehearsal.clockOffsetMs += overdueMs;
    const sweeps: Run[] = [];
    for (let minute = 0; minute < sweepMinutes; minute++) {
      sweeps.push(await rehearsal.tick("sweeper", sweeper));
      rehearsal.clockOffsetMs += 60_000;
    }
    for (const workspace of [as.apiKey, lost]) runs.push(...(await rehearsal.runJobs(workspace, started)));
    const unfinished = await unfinishedOf(as.apiKey);
    if (!outside.received()) unfinished.push("drain");
    if (!extraction.isAnswered) unfinished.push("draft");
    const rows = [...started].map(([kind, worker]) => {
      const own = runs.flatMap(([name, run]) => (name === kind ? [run] : []));
      const problems = unfinished.includes(kind) ? ["Not all of its jobs are done."] : [];
      return rowOf(rehearsal.function(kind), [worker.session], worker, own, [...problems, ...isIdle(own)]);
    });
    return [...rows, rowOf(rehearsal.function("sweeper"), [sweeper.session], sweeper, sweeps, [])];
  } finally {
    model.close();
    await outside.close();
    await Promise.all([...started.values(), sweeper].map(({ process }) => process.end()));
  }
}

const isIdle = (runs: Run[]) => (runs.length > 0 ? [] : ["It ran no job."]);

/** Calls that start jobs of every kind. The workers that are needed at once run their jobs meanwhile. */
async function sendToWorkers(rehearsal: Rehearsal, as: Credentials, url: string): Promise<void> {
  const set = (name: string, data: object) => must(named(name), { as, data });
  await set("webhook-endpoints-create", { url });
  await set("permissions-add", dataOf(named("permissions-add")));
  const permissionProviderConfig = { permissionProviderUrl: url, authToken: "secret" };
  await set("permissionproviderconfig-update", { usePermissionProvider: true, permissionProviderConfig });
  const notification = { ...dataOf(named("notifications-add")), notifyUsers: [{ userId: "bob" }], context: null };
  for (const verifyUserPermissions of [true, false]) {
    const notificationId = `verified-${verifyUserPermissions}`;
    await sendOne(rehearsal, as, "notifications-add", { ...notification, notificationId, verifyUserPermissions });
  }
  await sendOne(rehearsal, as, "documents-add", { organizationId, documents: [{ documentId: "one" }] });
  // A grant that waits for the migration.
  const resources = [{ type: "document", id: "two", organizationId }];
  await set("permissions-add", { user: { userId: "alice" }, permissions: { resources } });
  await sendOne(rehearsal, as, "documents-migrate", { organizationId, documentId: "one", newDocumentId: "two" });
  await sendOne(rehearsal, as, "documents-delete", { organizationId, documentIds: ["plan"] });
}

async function sendOne(rehearsal: Rehearsal, as: Credentials, name: string, data: object): Promise<Run> {
  const started = await rehearsal.start(name);
  const run = await rehearsal.call(named(name), started, { as, data });
  await started.process.end();
  return run;
}

/** An extraction: the call waits for its job. */
async function extract(rehearsal: Rehearsal, as: Credentials, started: Map<string, Started>) {
  const file = { fileBase64: btoa("Task\nCheck the figures.\n"), mimeType: "text/csv" };
  const call = sendOne(rehearsal, as, "agents-extract", file);
  let isOver = false;
  void call.finally(() => {
    isOver = true;
  });
  const runs: [kind: string, run: Run][] = [];
  while (!isOver) {
    await sleep(10);
    runs.push(...(await rehearsal.runJobs(as.apiKey, started)));
  }
  const { statusCode } = (await call).result as { statusCode: number };
  return { runs, isAnswered: statusCode === 200 };
}

/** Work whose messages are lost. Returns a workspace that is deleted. */
async function loseMessages({ apiKey }: Credentials): Promise<string> {
  await beginErasure(apiKey, { organizationId, userId: "alice" });
  const deleted = await newWorkspace();
  const ref = { workspace: deleted.apiKey };
  await Blob.put(ref, "file", Buffer.from("text"));
  await Workspace.remove(ref, workspacePurgeJob(ref.workspace));
  // A job of each kind, so that the sweeper needs every queue. No worker gets them.
  await commit([], { jobs: jobKinds.map((kind) => newJob(kind, "nobody", {})) });
  return deleted.apiKey;
}

/** The kinds of the jobs that are not done. */
async function unfinishedOf(workspace: string): Promise<string[]> {
  const jobs = (await itemsOf(workspace)).filter(({ pk }) => pk.startsWith("JOB#"));
  return jobs.filter(({ state }) => state !== "done").map(({ kind }) => String(kind));
}

/** A receiver of webhooks, which is the permission provider too. */
async function startOutside() {
  let received = 0;
  const server = createServer(async (request, response) => {
    await buffer(request);
    received += 1;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [], success: true, statusCode: 200 }));
  });
  return { ...(await listen(server, 0)), received: () => received > 0 };
}

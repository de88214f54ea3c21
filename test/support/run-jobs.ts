// Runs all jobs of a workspace in this process, and keeps each as it was stored first. The test needs `fakeDates`.
import { activity } from "../../functions/workers/activity.ts";
import { fanout } from "../../functions/workers/fanout.ts";
import { merge } from "../../functions/workers/merge.ts";
import { migrate } from "../../functions/workers/migrate.ts";
import { notify } from "../../functions/workers/notify.ts";
import { purge } from "../../functions/workers/purge.ts";
import type { Item } from "../../lib/dynamodb/key.ts";
import { later } from "./fake-dates.ts";
import { deliver } from "./run-worker.ts";
import { itemsOf } from "./scan.ts";

const workers = [purge, migrate, notify, merge, fanout, activity];
export type StoredJob = Item & { id: string; kind: string; state: string };

/** Runs the jobs until all have ended. Adds those that it sees for the first time to `seen`, by id. */
export async function runJobs({ apiKey }: { apiKey: string }, seen = new Map<string, StoredJob>()): Promise<void> {
  for (let passes = 0; passes < 200; passes++) {
    const jobs = (await itemsOf(apiKey)).filter(({ pk }) => pk.startsWith("JOB#")) as StoredJob[];
    for (const job of jobs) if (!seen.has(job.id)) seen.set(job.id, job);
    const open = jobs.filter(({ state }) => state === "waiting" || state === "running");
    if (open.length === 0) return;
    later(61);
    for (const worker of workers) {
      const ids = open.filter(({ kind }) => kind === worker.jobs).map(({ id }) => id);
      if (ids.length > 0) await deliver(worker, ids);
    }
  }
  throw new Error("The jobs of the workspace do not end.");
}

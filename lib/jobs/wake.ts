// Jobs that there is one of, under an id of its own: they are not added but woken. Whatever the state it is in, a woken
// job runs after this; one that is running is marked, and runs again instead of ending.

import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { keys } from "../store/keys.ts";
import { commitEach } from "./commit.ts";
import { type DueJob, dueShard, type Job, jobItem, sendPointers } from "./queue.ts";

/** SQS delays by whole seconds: what is due this soon has its message under way. */
const soonMs = 1_000;

/** Makes the jobs due now. Their messages are sent after it; what is lost then the sweeper finds. */
export async function wake(jobs: readonly Job[]): Promise<void> {
  let rest = jobs;
  while (rest.length > 0) {
    const units = await wakings(rest);
    const outcome = await commitEach(units);
    await sendPointers(units.flatMap(({ pointer }, index) => (outcome[index] && pointer ? [pointer] : [])));
    rest = units.flatMap(({ job }, index) => (outcome[index] ? [] : [job]));
  }
}

interface Waking {
  job: Job;
  writes: Write[];
  /** To be sent once the writes are made; without one, a message is under way or needless. */
  pointer?: DueJob;
}

/** What wakes these jobs, as they are stored now. Those that will run anyway are left out. */
async function wakings(jobs: readonly Job[]): Promise<Waking[]> {
  const stored = await Table.getMany<Job>(jobs.map(({ id }) => keys.job(id)));
  return jobs.flatMap((job, index) => waking(job, stored[index]) ?? []);
}

function waking(job: Job, stored: Job | undefined): Waking | undefined {
  const update = keys.job(job.id);
  if (!stored) return { job, writes: [{ put: jobItem(job), if: "absent" }], pointer: job };
  const { state, leaseId, dueAt } = stored;
  if (state === "running" && dueAt > job.dueAt) {
    if (stored.woken) return undefined;
    return { job, writes: [{ update, set: { woken: true }, if: { state, leaseId } }] };
  }
  if (state === "waiting" && dueAt <= job.dueAt + soonMs) return undefined;
  const { payload, workspace, kind } = job;
  const fresh = { kind, workspace, payload, state: "waiting", dueAt: job.dueAt, attempts: 0, sweeps: 0 };
  const set = { ...fresh, due: dueShard(job.id) };
  return {
    job,
    writes: [{ update, set, remove: ["leaseId", "ttl", "woken"], if: { state, leaseId, dueAt } }],
    pointer: job,
  };
}

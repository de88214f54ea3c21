// The local queues lose their messages when the process ends. The next start sends a message for every job that has not
// ended. It also ends the leases of running jobs: the lock of the data folder proves that no other worker runs.
import { ScanCommand, type ScanCommandOutput } from "@aws-sdk/lib-dynamodb";
import { chunks } from "../../lib/concurrency.ts";
import { onTable, send } from "../../lib/dynamodb/client.ts";
import { jobsOf, pageSize } from "../../lib/jobs/list.ts";
import { sendPointers } from "../../lib/jobs/queue.ts";
import * as Job from "../../lib/jobs/store.ts";

export async function resumeJobs(): Promise<void> {
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

// The local queues lose their messages when the process ends. The next start sends a message for every job that has not
// ended. It also ends the leases of running jobs: the lock of the data folder proves that no other worker runs.

export async function resumeJobs(): Promise<void> {
  const Job = await import("../../lib/jobs/store.ts");
  const { sendPointers } = await import("../../lib/jobs/queue.ts");
  const { listed } = await import("../../lib/jobs/list.ts");
  const pages = await Array.fromAsync(listed());
  const jobs = pages.flat().filter(({ state }) => state !== "failed");
  const now = Date.now();
  for (const job of jobs) if (job.state === "running") await Job.postpone(job, now);
  await sendPointers(jobs.map((job) => (job.state === "running" ? { ...job, dueAt: now } : job)));
}

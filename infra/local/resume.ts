// A queue of this machine forgets all when its process ends. At the next start every job that has not ended goes back in;
// what was running is free at once: whoever has the lock of the data folder knows that no other worker lives.

export async function resumeJobs(): Promise<void> {
  const Job = await import("../../lib/jobs/store.ts");
  const { sendPointers } = await import("../../lib/jobs/queue.ts");
  const pages = await Array.fromAsync(Job.listed());
  const jobs = pages.flat().filter(({ state }) => state !== "failed");
  const now = Date.now();
  for (const job of jobs) if (job.state === "running") await Job.postpone(job, now);
  await sendPointers(jobs.map((job) => (job.state === "running" ? { ...job, dueAt: now } : job)));
}

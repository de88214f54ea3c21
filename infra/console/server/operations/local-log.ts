// What the log of the local server tells: metrics, which survive a restart, and the jobs that are done.
import type { Series, ShownJob } from "../operations.ts";
import { createBuckets } from "./buckets.ts";
import { doneJobs } from "./done-jobs.ts";
import { logReader } from "./log-reader.ts";

export interface LocalLog {
  metrics(minutes: number): Promise<Series[]>;
  /** Of the workspace, the latest first. */
  doneJobs(apiKey: string): Promise<ShownJob[]>;
}

export function localLog(folder: string): LocalLog {
  const [buckets, jobs] = [createBuckets(), doneJobs()];
  const readNew = logReader(folder, (line) => {
    buckets.add(line);
    jobs.add(line);
  });
  return {
    async metrics(minutes) {
      await readNew();
      return buckets.series(minutes, Date.now());
    },
    async doneJobs(apiKey) {
      await readNew();
      return jobs.of(apiKey);
    },
  };
}

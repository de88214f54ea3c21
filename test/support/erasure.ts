// Erasures in tests whose clock is fake.
import { expect } from "vitest";
import { purge } from "../../functions/workers/purge.ts";
import * as Job from "../../lib/jobs/store.ts";
import { later } from "./fake-dates.ts";
import { receive } from "./run-worker.ts";

/** Runs the job until it is done, each time a minute later. Returns the number of its runs. */
export async function erased(jobId: string, runsMax = 12): Promise<number> {
  for (let runs = 1; runs <= runsMax; runs++) {
    await receive(purge, [jobId]);
    if ((await Job.get(jobId))?.state === "done") return runs;
    later(61);
  }
  return expect.fail(`The erasure is not done after ${runsMax} runs.`);
}

// Runs the purges of a workspace to their end. The test needs `fakeDates`.
import { purge } from "../../functions/workers/purge.ts";
import { later } from "./fake-dates.ts";
import { jobsOf } from "./jobs.ts";
import { deliver } from "./run-worker.ts";

/** `beforePass` and `afterPass` run around each pass. */
export async function runPurges(
  as: { apiKey: string },
  { beforePass, afterPass }: { beforePass?: () => Promise<void>; afterPass?: () => Promise<void> } = {},
): Promise<void> {
  for (let passes = 0; passes < 100; passes++) {
    const jobs = await jobsOf(as, "purge");
    if (jobs.length === 0) return;
    await beforePass?.();
    later(60);
    await deliver(
      purge,
      jobs.map(({ id }) => id),
    );
    await afterPass?.();
  }
  throw new Error("The purges of the workspace do not end.");
}

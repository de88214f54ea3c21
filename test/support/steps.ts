// Counts steps of work instead of its time: how often V8 runs each block of the sources. It counts blocks as one that run
// equally often, so the numbers are not exact.
import { Session } from "node:inspector/promises";
import { root } from "./sources.ts";

/** Counts from now on. Call it in a file that imports the sources after it: V8 counts in code that it compiles later. */
export async function countSteps(): Promise<(run: () => unknown) => Promise<number>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return async (run) => {
    await session.post("Profiler.takePreciseCoverage");
    await run();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const own = result.filter(({ url }) => /^(?:functions|lib)\//.test(url.replace("file://", "").slice(root.length)));
    return own
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  };
}

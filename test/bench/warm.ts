// A warm request compared with the same request by hand, measured in turns.
import { fileURLToPath } from "node:url";
import { median, run } from "./starts.ts";

const callsPerBlock = 500;
const child = fileURLToPath(new URL("warm-child.ts", import.meta.url));

export interface Warm {
  /** Calls of the process. The second half of them is measured. */
  calls: number;
  oursMicros: number;
  byHandMicros: number;
}

/** Median CPU time of a warm users-get with a stubbed store. A short handler is compiled sooner than a long one. */
export async function measureWarm(rounds: number, blocks: number): Promise<Warm> {
  const samples = { ours: [] as number[], byHand: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const which of ["ours", "byHand"] as const) {
      const { told } = await run(process.execPath, [child, which, String(blocks)], process.env);
      samples[which].push(Number(told));
    }
  }
  return { calls: blocks * callsPerBlock, oursMicros: median(samples.ours), byHandMicros: median(samples.byHand) };
}

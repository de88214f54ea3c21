// Compares warm users-get with the same function written by hand. They are measured in turn.
import { fileURLToPath } from "node:url";
import { median, run } from "./starts.ts";

const callsPerBlock = 500;
const child = fileURLToPath(new URL("warm-child.ts", import.meta.url));

export interface Warm {
  /** The number of calls in one process. The second half is measured. */
  calls: number;
  oursMicros: number;
  byHandMicros: number;
}

/**
 * Median CPU time of a call. Measured for few and many calls, because a short handler is compiled sooner than a long
 * one.
 */
export async function measureWarm(rounds: number, blocks: number): Promise<Warm> {
  const samples = { ours: [] as number[], byHand: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const which of ["ours", "byHand"] as const) {
      const { output } = await run(process.execPath, [child, which, String(blocks)], process.env);
      samples[which].push(Number(output));
    }
  }
  return { calls: blocks * callsPerBlock, oursMicros: median(samples.ours), byHandMicros: median(samples.byHand) };
}

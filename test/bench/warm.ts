// A warm request against the same request by hand, in turns.
import { fileURLToPath } from "node:url";
import { median, run } from "./starts.ts";

const callsPerBlock = 500;
const child = fileURLToPath(new URL("warm-child.ts", import.meta.url));

export interface Warm {
  /** Calls of the process until the end of the measurement; the second half of them counts. */
  calls: number;
  oursMicros: number;
  byHandMicros: number;
}

/** Median CPU time of a warm users-get with its store stubbed. A short handler is compiled sooner than a long one. */
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

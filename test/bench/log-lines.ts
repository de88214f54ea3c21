// The log lines of functions that the benchmark runs: they have the cost of each call and each run of a worker.
import { capturedLines, dropLines } from "../support/log-lines.ts";

export interface Line {
  message: string;
  status?: string;
  /** Id of the job, in lines of workers. */
  job?: string;
  cause?: unknown;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  kmsCalls: number;
}

/** Returns the lines since the previous call of this function. */
export function takeLines(): Line[] {
  const taken = capturedLines().map((line) => JSON.parse(line) as Line);
  dropLines();
  return taken;
}

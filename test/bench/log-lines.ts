// The log lines of functions that the benchmark runs: they have the cost of each call and each run of a worker.
import { capturedLines, dropLines } from "../support/log-lines.ts";

export interface Line {
  message: string;
  /** The name of the worker, in its lines. */
  worker?: string | undefined;
  status?: string | undefined;
  /** Id of the job, in lines of workers. */
  job?: string | undefined;
  cause?: unknown;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  kmsCalls: number;
}

/** Returns the lines since the previous call of this function. */
export function takeLines(): Line[] {
  const taken = capturedLines().map((line) => lineOf(JSON.parse(line)));
  dropLines();
  return taken;
}

function lineOf({ message, worker, status, job, cause, roundTrips, readUnits, writeUnits, kmsCalls }: Line): Line {
  return { message, worker, status, job, cause, roundTrips, readUnits, writeUnits, kmsCalls };
}

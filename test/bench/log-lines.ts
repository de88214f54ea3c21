// Captures the log lines of functions that the benchmark runs: they have the cost of each call and each run of a
// worker.

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

let lines: string[] = [];
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
  if (typeof chunk !== "string" || !chunk.startsWith('{"level":')) return write(chunk, ...rest);
  lines.push(chunk);
  return true;
}) as typeof process.stdout.write;

/** Returns the lines since the previous call of this function. */
export function takeLines(): Line[] {
  const taken = lines.map((line) => JSON.parse(line) as Line);
  lines = [];
  return taken;
}

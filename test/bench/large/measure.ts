// Measures the cost of work from the log lines of functions, and the CPU time and heap of this process.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { takeLines } from "../log-lines.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const sampleMs = 5;

export interface Measured {
  /** The number of calls and of runs of workers. */
  runs: number;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  /** CPU time of this process, without the engine. */
  cpuMs: number;
  /** Peak of the heap minus the heap at the start, MB. */
  heapMb: number;
  /** Heap and buffers at the end minus those at the start, MB. */
  keptMb: number;
}

export async function measure(work: () => Promise<unknown>): Promise<Measured> {
  takeLines();
  collect();
  const before = process.memoryUsage();
  let most = before.heapUsed;
  const look = () => {
    most = Math.max(most, process.memoryUsage().heapUsed);
  };
  const timer = setInterval(look, sampleMs);
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(timer);
  look();
  collect();
  const after = process.memoryUsage();
  const lines = takeLines().filter(({ message }) => message === "call" || message === "job");
  const sum = (of: "roundTrips" | "readUnits" | "writeUnits") => lines.reduce((total, line) => total + line[of], 0);
  return {
    runs: lines.length,
    roundTrips: sum("roundTrips"),
    readUnits: sum("readUnits"),
    writeUnits: sum("writeUnits"),
    cpuMs: (user + system) / 1_000,
    heapMb: (most - before.heapUsed) / 1_048_576,
    keptMb: (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 1_048_576,
  };
}

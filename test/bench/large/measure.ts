// The cost of some work: the functions' log lines, and CPU time and heap of this process.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { takeLines } from "../log-lines.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const sampleMs = 5;

export interface Measured {
  /** Of calls and workers, as logged. */
  runs: number;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  /** Without the engine, which is a process of its own. */
  cpuMs: number;
  /** Peak above the start, MB. */
  heapMb: number;
  /** At the end, above the start, with buffers, MB. */
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
  const sum = (of: "roundTrips" | "readUnits" | "writeUnits") => lines.reduce((all, line) => all + line[of], 0);
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

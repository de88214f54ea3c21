// npm run bench -- --large: the cost of calls and jobs for growing amounts of data.
import { printTable } from "../table.ts";
import { type Outcome, scenes } from "./scenes.ts";

interface Point extends Outcome {
  name: string;
  size: number;
}

/** The cost of an item at each size is compared with that at this size. */
const baseSize = 1_000;

/** Runs each scene at each size. Prints the results of each scene as soon as it ends. */
export async function largeCurves(sizes: readonly number[]): Promise<Point[]> {
  const points: Point[] = [];
  for (const [name, scene] of Object.entries(scenes)) {
    for (const size of sizes) points.push({ name, size, ...(await scene(size)) });
    const own = points.filter((point) => point.name === name);
    printTable(
      `${name} (target: an item costs at most 1.2 × that of ${baseSize}, heap below 150 MB)`,
      own.map((point) =>
        rowOf(
          point,
          own.find(({ size }) => size === baseSize),
        ),
      ),
    );
  }
  return points;
}

function rowOf({ size, call, jobs }: Point, base: Point | undefined): Record<string, unknown> {
  const calls = { size, "call: trips": call.roundTrips, RCU: call.readUnits, WCU: call.writeUnits };
  if (!jobs) return calls;
  const perItem = (of: "roundTrips" | "readUnits" | "writeUnits") => jobs[of] / size;
  const ratio = (of: "roundTrips" | "readUnits" | "writeUnits") => {
    return base?.jobs ? (perItem(of) / (base.jobs[of] / base.size)).toFixed(2) : "";
  };
  return {
    ...calls,
    "job runs": jobs.runs,
    "trips an item": perItem("roundTrips").toFixed(4),
    "×": ratio("roundTrips"),
    "RCU an item": perItem("readUnits").toFixed(3),
    "× ": ratio("readUnits"),
    "WCU an item": perItem("writeUnits").toFixed(3),
    "×  ": ratio("writeUnits"),
    "CPU µs an item": Math.round((jobs.cpuMs * 1_000) / size),
    "heap MB": Math.round(jobs.heapMb),
  };
}

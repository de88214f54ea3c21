// npm run bench -- --sizes: what the memory of a function changes. Lambda assigns CPU in proportion to the memory, a whole
// CPU at 1,769 MB, and bills both. Here the CPU time of new processes is measured, and the rest computed from it with
// the waits and prices of test/support/cost. While a function initialises, it has a whole CPU at any size.
import { coldShare, priced, waitsMs, wholeCpuMb } from "../support/cost/prices.ts";
import memory from "./memory.json" with { type: "json" };
import { median, type Sample, sampleStart, type Variant } from "./starts.ts";
import { printTable } from "./table.ts";

const memoriesMb = [256, 512, 1_024, wholeCpuMb];
/** Calls after the first one. Most containers serve so few that not all code is compiled. */
const furtherCalls = 50;
const recordsSearched = 10_000;

/** CPU time and requests of one function. Times are in ms. */
interface Work {
  name: string;
  initMs: number;
  first: { cpuMs: number; trips: number };
  later: { cpuMs: number; trips: number };
}

/** `variant` makes one request to the table in its initialisation, and one in each call. */
async function measured(variant: Variant, rounds: number, env: NodeJS.ProcessEnv): Promise<Work> {
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++) samples.push(await sampleStart(variant, env, furtherCalls));
  const medianMs = (of: (sample: (typeof samples)[number]) => number) => median(samples.map(of)) / 1_000;
  return {
    name: "a call with one read",
    initMs: medianMs((sample) => sample.import),
    first: { cpuMs: medianMs(({ cold, import: imported }) => cold - imported), trips: 1 },
    later: { cpuMs: medianMs(({ end, cold }) => (end - cold) / furtherCalls), trips: 1 },
  };
}

/** A search of the memory: its first call in a container builds the index. From `npm run bench -- --memory`. */
function searching({ initMs }: Work): Work {
  const found = memory.costs.find(({ records }) => records === recordsSearched);
  if (!found) throw new Error(`memory.json has no search of ${recordsSearched} records.`);
  const pages = Math.ceil(found["cold RCU"] / 256);
  return {
    name: `a search of ${recordsSearched.toLocaleString("en")} records`,
    initMs,
    first: { cpuMs: found["cold CPU ms"], trips: found["warm trips"] + pages },
    later: { cpuMs: Number(found["warm CPU ms"]), trips: found["warm trips"] },
  };
}

function rowOf({ name, initMs, first, later }: Work, memoryMb: number) {
  const durationMs = ({ cpuMs, trips }: Work["first"]) => (cpuMs * wholeCpuMb) / memoryMb + trips * waitsMs.trip;
  const [firstMs, laterMs] = [durationMs(first), durationMs(later)];
  // Lambda bills the initialisation too.
  const billedMs = coldShare * (initMs + waitsMs.trip + firstMs) + (1 - coldShare) * laterMs;
  const dollars = priced("invocation", 1e6) + priced("gbSecond", (billedMs / 1_000) * (memoryMb / 1_024) * 1e6);
  return {
    what: name,
    MB: memoryMb,
    "init ms": Math.round(initMs + waitsMs.trip),
    "first call ms": Math.round(firstMs),
    "later calls ms": laterMs.toFixed(1),
    "$ a million": dollars.toFixed(2),
  };
}

export async function sizeFigures(variant: Variant, rounds: number, env: NodeJS.ProcessEnv) {
  const plain = await measured(variant, rounds, { ...env, AWS_LAMBDA_FUNCTION_NAME: "bench" });
  const work = [plain, searching(plain)];
  const rows = work.flatMap((each) => memoriesMb.map((memoryMb) => rowOf(each, memoryMb)));
  printTable(`Memory of a function, ${coldShare * 100} % of the calls in a new container`, rows);
  return { work, rows };
}

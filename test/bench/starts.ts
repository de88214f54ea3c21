// Import and cold request: CPU time of a new process. The variants run in turn, so that noise affects all of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export interface Variant {
  name: string;
  /** Absent: Node alone. */
  bundle?: string;
  event?: object;
}

export interface Start {
  /** Median CPU time of the process until then, milliseconds. */
  importMs: number;
  coldMs: number;
}

const probe = fileURLToPath(new URL("probe.mjs", import.meta.url));

export async function measureStarts(variants: readonly Variant[], rounds: number, env: NodeJS.ProcessEnv) {
  const samples = new Map(variants.map(({ name }) => [name, { import: [] as number[], cold: [] as number[] }]));
  // The first round fills the file cache and is not measured.
  for (let round = 0; round <= rounds; round++) {
    for (const variant of variants) {
      const { told } = await run(process.execPath, argumentsOf(variant), env);
      const sample = JSON.parse(told);
      if (round === 0) continue;
      samples.get(variant.name)?.import.push(sample.import);
      samples.get(variant.name)?.cold.push(sample.cold);
    }
  }
  const inMs = (values: number[]) => Math.round(median(values) / 10) / 100;
  const starts = [...samples].map(([name, each]): [string, Start] => [
    name,
    { importMs: inMs(each.import), coldMs: inMs(each.cold) },
  ]);
  return new Map(starts);
}

/** Millions of instructions until the first reply. */
export async function instructionsOf(variant: Variant, env: NodeJS.ProcessEnv): Promise<number> {
  const options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--smc-check=all-non-file"];
  const { errors } = await run("valgrind", [...options, process.execPath, ...argumentsOf(variant)], env);
  return Math.round(Number(/Collected : (\d+)/.exec(errors)?.[1]) / 1e6);
}

/** Runs a program to its end. Returns its output on descriptor 3 and its standard error; standard output is dropped. */
export async function run(program: string, args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  (child.stdio[1] as Readable).resume();
  const [told, errors, [status]] = await Promise.all([
    text(child.stdio[3] as Readable),
    text(child.stdio[2] as Readable),
    once(child, "close"),
  ]);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${errors}`);
  return { told, errors };
}

function argumentsOf({ bundle, event }: Variant): string[] {
  return [probe, ...(bundle ? [bundle] : []), ...(event ? [JSON.stringify(event)] : [])];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

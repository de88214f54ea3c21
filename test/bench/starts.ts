// Measures the CPU time of new processes, until the import and until the first reply. The variants run in turn, so that
// noise affects all of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export interface Variant {
  name: string;
  /** Absent: starts Node without a bundle. */
  bundle?: string;
  event?: object;
  /** Further variables of its environment. */
  env?: NodeJS.ProcessEnv;
}

/** CPU time of a process in microseconds: until the import, until the first reply, and until its end. */
export interface Sample {
  import: number;
  cold: number;
  end: number;
}

export interface Start {
  /** Median CPU time of the process until the import, milliseconds. */
  importMs: number;
  /** The same until the first reply. */
  coldMs: number;
}

const probe = fileURLToPath(new URL("probe.mjs", import.meta.url));

export async function measureStarts(variants: readonly Variant[], rounds: number, env: NodeJS.ProcessEnv) {
  const samples = new Map(variants.map(({ name }) => [name, { import: [] as number[], cold: [] as number[] }]));
  // The first round fills the file cache and is not measured.
  for (let round = 0; round <= rounds; round++) {
    for (const variant of variants) {
      const sample = await sampleStart(variant, env);
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

/** Starts the variant in a new process. After its first reply it makes `further` calls. */
export async function sampleStart(variant: Variant, env: NodeJS.ProcessEnv, further = 0): Promise<Sample> {
  const args = [...argumentsOf(variant), ...(further ? [String(further)] : [])];
  const { output } = await run(process.execPath, args, { ...env, ...variant.env });
  return JSON.parse(output);
}

/** Counts the instructions until the first reply with valgrind, in millions. */
export async function instructionsOf(variant: Variant, env: NodeJS.ProcessEnv): Promise<number> {
  const options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--smc-check=all-non-file"];
  const { errors } = await run("valgrind", [...options, process.execPath, ...argumentsOf(variant)], env);
  return Math.round(Number(/Collected : (\d+)/.exec(errors)?.[1]) / 1e6);
}

/**
 * Runs a program. Returns what it writes to descriptor 3 (`output`) and to standard error. Drops its standard output.
 */
export async function run(program: string, args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  (child.stdio[1] as Readable).resume();
  const [output, errors, [status]] = await Promise.all([
    text(child.stdio[3] as Readable),
    text(child.stdio[2] as Readable),
    once(child, "close"),
  ]);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${errors}`);
  return { output, errors };
}

function argumentsOf({ bundle, event }: Variant): string[] {
  return [probe, ...(bundle ? [bundle] : []), ...(event ? [JSON.stringify(event)] : [])];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

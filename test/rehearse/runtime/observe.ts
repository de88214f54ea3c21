// What can be seen of a process from outside: its output, its memory and its time on the processor.
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

/** As much of the output as a message of a failed run needs, characters. */
const tailLength = 2_000;
/** Linux counts the time of processes in hundredths of a second. */
const tickMs = 10;

export interface Output {
  /** The lines in JSON that it has logged. */
  lines(): Record<string, unknown>[];
  /** The end of the output. */
  tail(): string;
}

export function collected({ stdout, stderr }: ChildProcess): Output {
  const parts: Buffer[] = [];
  for (const stream of [stdout, stderr]) stream?.on("data", (part) => parts.push(part));
  const text = () => Buffer.concat(parts).toString();
  return {
    tail: () => (parts.length === 0 ? "" : `Its output ends with: ${text().slice(-tailLength)}`),
    lines() {
      // The last part is a line that is not complete.
      const complete = text().split("\n").slice(0, -1);
      return complete.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    },
  };
}

export function peakMbOf({ pid }: ChildProcess): number | undefined {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(ofSystem(`/proc/${pid}/status`)) ?? [];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
}

/** `cpuMs`: the processor time that the process has used; undefined where the system does not tell it. */
export function stateOf({ pid }: ChildProcess): { cpuMs: number | undefined; text(wallMs: number): string } {
  // After the name in brackets, which can contain spaces: the 12th and 13th fields.
  const fields = ofSystem(`/proc/${pid}/stat`).split(") ")[1]?.split(" ");
  const cpuMs = fields && (Number(fields[11]) + Number(fields[12])) * tickMs;
  return {
    cpuMs,
    text(wallMs) {
      const load = `The load of the machine is ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors.`;
      const time = `The process is ${Math.round(wallMs)} ms old and has used ${cpuMs ?? "?"} ms of processor time.`;
      return `${time} ${load}`;
    },
  };
}

/** Empty if this is not Linux, or if the process has ended. */
function ofSystem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

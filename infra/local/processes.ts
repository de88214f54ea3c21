// Which process is meant, for files that outlive one. A pid alone is given to another process later, in a container
// often the very next time; with the time of its start it is not.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProcessId {
  pid: number;
  started: string;
}

export function identify(pid: number): ProcessId | undefined {
  const started = process.platform === "linux" ? linuxStart(pid) : psStart(pid);
  return started === undefined ? undefined : { pid, started };
}

export const self = (): ProcessId => identify(process.pid) ?? { pid: process.pid, started: "" };

export function isRunning(wanted: ProcessId): boolean {
  return identify(wanted.pid)?.started === wanted.started;
}

/** The command line's words; none where the platform does not tell. */
export function commandLine(pid: number): string[] {
  if (process.platform !== "linux") return psColumn(pid, "command")?.split(" ") ?? [];
  return readOrNothing(`/proc/${pid}/cmdline`)?.split("\0") ?? [];
}

/** Asks a process to end, and ends it if it has not after five seconds. */
export async function end(doomed: ProcessId): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!isRunning(doomed)) return;
    process.kill(doomed.pid, signal);
    for (let waited = 0; waited < 5_000 && isRunning(doomed); waited += 10) await sleep(10);
  }
}

/** Ticks since boot, with the boot: field 22, counted behind the name in parentheses, which can hold anything. */
function linuxStart(pid: number): string | undefined {
  const fields = readOrNothing(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ");
  if (!fields || fields[0] === "Z" || fields[0] === "X") return undefined;
  return `${readOrNothing("/proc/sys/kernel/random/boot_id")?.trim()} ${fields[19]}`;
}

function psStart(pid: number): string | undefined {
  return psColumn(pid, "lstart");
}

function psColumn(pid: number, column: string): string | undefined {
  try {
    return execFileSync("ps", ["-o", `${column}=`, "-p", String(pid)], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return undefined; // ps ends with 1 where there is no such process.
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // The process is gone, or its files are not ours to read.
  }
}

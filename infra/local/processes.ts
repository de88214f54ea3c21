// Identifies processes in files that outlive them. The system reuses pids, in a container often after a short time. The
// pid and the start time together are unique.
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

export function isRunning(target: ProcessId): boolean {
  return identify(target.pid)?.started === target.started;
}

/** Returns the arguments of the process, or an empty list when the platform does not provide them. */
export function commandLine(pid: number): string[] {
  if (process.platform !== "linux") return psColumn(pid, "command")?.split(" ") ?? [];
  return readIfPresent(`/proc/${pid}/cmdline`)?.split("\0") ?? [];
}

/** Whether this process may read from its terminal. */
export function isInForeground(): boolean {
  if (process.platform !== "linux") return psColumn(process.pid, "pgid") === psColumn(process.pid, "tpgid");
  // Process group, session, terminal and the terminal's foreground group: fields 5 to 8.
  const [, , group, , , foreground] = linuxStat(process.pid) ?? [];
  return group === foreground;
}

/** Sends SIGTERM, and SIGKILL when the process still runs after five seconds. */
export async function end(target: ProcessId): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!isRunning(target)) return;
    process.kill(target.pid, signal);
    for (let waited = 0; waited < 5_000 && isRunning(target); waited += 10) await sleep(10);
  }
}

/** The fields from the third one on. The name in field 2 may contain spaces and parentheses. */
const linuxStat = (pid: number) =>
  readIfPresent(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ");

/** Boot id and start time in ticks since boot: field 22. */
function linuxStart(pid: number): string | undefined {
  const fields = linuxStat(pid);
  if (!fields || fields[0] === "Z" || fields[0] === "X") return undefined;
  return `${readIfPresent("/proc/sys/kernel/random/boot_id")?.trim()} ${fields[19]}`;
}

function psStart(pid: number): string | undefined {
  return psColumn(pid, "lstart");
}

function psColumn(pid: number, column: string): string | undefined {
  try {
    return execFileSync("ps", ["-o", `${column}=`, "-p", String(pid)], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return undefined; // ps exits with status 1 when there is no such process.
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // The process has ended, or its files are not readable.
  }
}

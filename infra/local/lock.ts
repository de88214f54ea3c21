// Locks between processes. A lock is a file that names its holder. One other process takes over a dead holder's lock.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createExclusively, readJson, replace } from "./files.ts";
import { isRunning, type ProcessId, self } from "./processes.ts";
import { StartError } from "./start-error.ts";

const waitMs = 20_000;

/** Takes the lock if it is free. Returns a function that releases it, or undefined when another process holds it. */
export function tryLock(path: string): (() => void) | undefined {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (createExclusively(path, JSON.stringify(self()))) return () => rmSync(path, { force: true });
    if (!breakStale(path)) return undefined;
  }
  return undefined;
}

/** The lock of the server on a data folder. */
export const lockServer = (folder: string) => tryLock(serverLock(folder));

const serverLock = (folder: string) => join(folder, "server.lock");

interface RunningServer extends ProcessId {
  /** Absent until the server listens. */
  url?: string;
}

/** Writes the address into the lock that this process holds, for the message of another process. */
export function noteAddress(folder: string, url: string): void {
  replace(serverLock(folder), JSON.stringify({ ...self(), url } satisfies RunningServer));
}

/** The server that holds the lock of the data folder. */
export function runningServer(folder: string): RunningServer | undefined {
  const holder = readJson<RunningServer>(serverLock(folder));
  return holder && isRunning(holder) ? holder : undefined;
}

/** Runs `work` while holding the lock. Waits up to 20 seconds for it. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + waitMs;
  for (;;) {
    const release = tryLock(path);
    if (release) return work().finally(release);
    if (Date.now() > giveUpAt)
      throw new StartError(
        `${path} is still locked after ${waitMs / 1_000} seconds. Delete this file if no other process uses the data folder.`,
      );
    await sleep(20);
  }
}

/**
 * Removes the lock of a dead holder. Two processes can find the same dead holder; without a second lock, the slower one
 * would remove the new lock of the faster one. Only the process that holds the second lock checks again and removes.
 */
function breakStale(path: string): boolean {
  if (isHeld(path)) return false;
  const breaking = `${path}.breaking`;
  if (!createExclusively(breaking, "")) return false;
  try {
    if (isHeld(path)) return false;
    rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(breaking, { force: true });
  }
}

function isHeld(path: string): boolean {
  const holder = readJson<ProcessId>(path);
  return holder !== undefined && isRunning(holder);
}

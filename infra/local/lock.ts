// Locks between processes. A lock is a file that names its holder. One other process takes over a dead holder's lock.
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { createExclusively, readJson, replace } from "./files.ts";
import { isRunning, self } from "./processes.ts";
import { StartError } from "./start-error.ts";

const waitMs = 20_000;
/** Breaking a lock takes far less. */
const breakingMs = 5_000;

/** As `ProcessId`, for files. */
export const processId = z.object({ pid: z.int().check(z.minimum(1)), started: z.string() });

/** `url` is absent until the server listens. */
const holder = z.extend(processId, { url: z.optional(z.string()) });

type Holder = z.output<typeof holder>;

/** Takes the lock if it is free. Returns a function that releases it, or undefined when another process holds it. */
export function tryLock(path: string): (() => void) | undefined {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (createExclusively(path, JSON.stringify(self()))) return () => release(path);
    if (!breakStale(path)) return undefined;
  }
  return undefined;
}

/** The folder can have been deleted meanwhile, and another process can hold the lock of its successor. */
function release(path: string): void {
  const { data } = holder.safeParse(readJson(path));
  const { pid, started } = self();
  if (data?.pid === pid && data.started === started) rmSync(path, { force: true });
}

/** The lock of the server on a data folder. */
export const lockServer = (folder: string) => tryLock(serverLock(folder));

const serverLock = (folder: string) => join(folder, "server.lock");

/** Writes the address into the lock that this process holds, for the message of another process. */
export function noteAddress(folder: string, url: string): void {
  replace(serverLock(folder), JSON.stringify({ ...self(), url } satisfies Holder));
}

/** The server that holds the lock of the data folder. */
export const runningServer = (folder: string) => runningHolder(serverLock(folder));

/** Runs `work` while holding the lock. Waits up to 20 seconds for it. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + waitMs;
  for (;;) {
    const release = tryLock(path);
    if (release) return work().finally(release);
    if (Date.now() > giveUpAt)
      throw new StartError(
        `${path} is still locked after ${waitMs / 1_000} seconds. Delete this file if no other process of this service starts or runs.`,
      );
    await sleep(20);
  }
}

/**
 * Removes the lock of a dead holder. Two processes can find the same dead holder; without a second lock, the slower one
 * would remove the new lock of the faster one. Only the process that holds the second lock checks again and removes.
 */
function breakStale(path: string): boolean {
  if (runningHolder(path)) return false;
  const breaking = `${path}.breaking`;
  removeOld(breaking);
  if (!createExclusively(breaking, "")) return false;
  try {
    if (runningHolder(path)) return false;
    rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(breaking, { force: true });
  }
}

/** A process that was killed can have left it. */
function removeOld(breaking: string): void {
  const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(breaking, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs < Date.now() - breakingMs) rmSync(breaking, { force: true });
}

/** A lock that names no process, such as one that was cut, is held by nobody. */
function runningHolder(path: string): Holder | undefined {
  const { data } = holder.safeParse(readJson(path));
  return data && isRunning(data) ? data : undefined;
}

// Locks between processes: a file that names its holder. One whose holder is dead is taken over, by one process only.
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createExclusively, readJson } from "./files.ts";
import { isRunning, type ProcessId, self } from "./processes.ts";
import { StartError } from "./start-error.ts";

const waitMs = 20_000;

/** Takes the lock if it is free; answers how to release it. */
export function tryLock(path: string): (() => void) | undefined {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (createExclusively(path, JSON.stringify(self()))) return () => rmSync(path, { force: true });
    if (!breakStale(path)) return undefined;
  }
  return undefined;
}

/** Runs `work` while no other process runs anything under this lock. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + waitMs;
  for (;;) {
    const release = tryLock(path);
    if (release) return work().finally(release);
    if (Date.now() > giveUpAt)
      throw new StartError(`${path} stays locked. Remove it if no other process uses the folder.`);
    await sleep(20);
  }
}

/**
 * Removes the lock of a dead holder. Two processes may find the same dead holder, and the slower one would remove the
 * new lock of the faster: so only the one that holds the second file may look once more and remove.
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

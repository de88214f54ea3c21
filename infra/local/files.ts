import { randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { StartError } from "./start-error.ts";

/** Creates the file atomically with its content. Returns false when it exists already. */
export function createExclusively(path: string, content: string | Buffer): boolean {
  const draft = writeDraft(path, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (thrown) {
    if (existsSync(path)) return false;
    throw thrown;
  } finally {
    rmSync(draft);
  }
}

/** Replaces the file atomically: neither a concurrent reader nor a crash sees partial content. */
export function replace(path: string, content: string | Buffer): void {
  const draft = writeDraft(path, content);
  try {
    renameSync(draft, path);
  } catch (thrown) {
    rmSync(draft);
    throw thrown;
  }
}

/** Returns the parsed JSON file, or undefined when it does not exist or is not valid JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (thrown) {
    if (thrown instanceof SyntaxError || (thrown as { code?: string }).code === "ENOENT") return undefined;
    throw new StartError(`${path} cannot be read: ${(thrown as Error).message}. Remove it.`, { cause: thrown });
  }
}

function writeDraft(path: string, content: string | Buffer): string {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600 });
  return draft;
}

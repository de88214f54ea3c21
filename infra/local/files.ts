import { randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

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
  renameSync(writeDraft(path, content), path);
}

/** Returns the parsed JSON file, or undefined when it does not exist or is not valid JSON. */
export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (thrown) {
    if (thrown instanceof SyntaxError || (thrown as { code?: string }).code === "ENOENT") return undefined;
    throw thrown;
  }
}

function writeDraft(path: string, content: string | Buffer): string {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600 });
  return draft;
}

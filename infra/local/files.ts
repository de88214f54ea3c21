import { randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Creates the file with its whole content at once. False: there is one already. */
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

/** Replaces the file as a whole: a reader, or a crash, never sees a part of it. */
export function replace(path: string, content: string | Buffer): void {
  renameSync(writeDraft(path, content), path);
}

/** What the JSON file holds; undefined where there is none, or it is broken. */
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

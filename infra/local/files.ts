import { randomUUID } from "node:crypto";
import { fchmodSync, linkSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "./start-error.ts";

/** Creates the file atomically with its content. Returns false when it exists already. */
export function createExclusively(path: string, content: string | Buffer): boolean {
  const draft = writeDraft(path, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (thrown) {
    // Whoever has created it can have removed it since.
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
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

/** The file of the DynamoDB engine in a data folder. */
export const databasePath = (folder: string) => join(folder, "dynamodb.db");

/** The master key of KMS. */
export const kmsKeyPath = (folder: string) => join(folder, "kms.key");

/** The keys of the demo workspace. */
export const demoPath = (folder: string) => join(folder, "demo.json");

export function readBytes(path: string): Buffer {
  try {
    return readRegular(path);
  } catch (cause) {
    throw unreadable(path, cause as Error);
  }
}

/** Returns the parsed JSON file, or undefined when it does not exist or is not valid JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readRegular(path).toString());
  } catch (thrown) {
    if (thrown instanceof SyntaxError || (thrown as { code?: string }).code === "ENOENT") return undefined;
    throw unreadable(path, thrown as Error);
  }
}

/** The read of a pipe would wait for its writer. */
function readRegular(path: string): Buffer {
  if (!statSync(path).isFile()) throw new Error("it is not a regular file");
  return readFileSync(path);
}

const unreadable = (path: string, cause: Error) =>
  new StartError(`${path} cannot be read: ${cause.message}. Make it readable, or move it away.`, { cause });

/** Opens the file to append to it. Only its owner may read it, also if it was there with another mode. */
export function openOwn(path: string): number {
  const file = openSync(path, "a", 0o600);
  fchmodSync(file, 0o600);
  return file;
}

function writeDraft(path: string, content: string | Buffer): string {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600 });
  return draft;
}

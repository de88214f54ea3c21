// Keeps the log lines of the functions in the data folder, where `npm run admin -- trace` reads them.
import { closeSync, existsSync, readFileSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openOwn } from "./files.ts";

export const [currentName, formerName] = ["log.jsonl", "log.former.jsonl"];
/** A file of this size, about 30,000 calls, replaces the former file. */
const bytesMax = 20_000_000;

/** Copies log lines that this process writes to standard output. Returns a function that ends this. */
export function keepLogLines(folder: string): () => void {
  const path = join(folder, currentName);
  let file = openOwn(path);
  let bytes = statSync(path).size;
  const write = process.stdout.write;
  const copying = ((chunk: string | Uint8Array, ...rest: never[]) => {
    if (typeof chunk === "string" && chunk.startsWith('{"level":')) keep(chunk);
    return write.call(process.stdout, chunk, ...rest);
  }) as typeof write;
  process.stdout.write = copying;

  function keep(line: string): void {
    if (bytes > bytesMax) {
      closeSync(file);
      renameSync(path, join(folder, formerName));
      file = openOwn(path);
      bytes = 0;
    }
    bytes += writeSync(file, line);
  }

  return () => {
    if (process.stdout.write === copying) process.stdout.write = write;
    closeSync(file);
  };
}

/** The kept lines that contain the text, the earliest first. A line that a killed server wrote in part is left out. */
export function keptLines(folder: string, text: string): Record<string, unknown>[] {
  return [formerName, currentName].flatMap((name) => {
    const path = join(folder, name);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.filter((line) => line.includes(text) && line.endsWith("}")).map((line) => JSON.parse(line));
  });
}

// The project's own source files, and what they import.
import { globSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Source {
  /** Relative to the project's root. */
  file: string;
  text: string;
  /** Files relative to the root; packages by their names. */
  imports: string[];
}

const importPattern = /^\s*(?:import|export)\s(?:[^;"']*?\sfrom\s)?\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;

export function sources(...folders: string[]): Source[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));
  return files.sort().map((file) => {
    const text = readFileSync(`${root}/${file}`, "utf8");
    return { file, text, imports: importsOf(file, text) };
  });
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(importPattern)].map(([, from, dynamic]) => {
    const name = (from ?? dynamic) as string;
    return name.startsWith(".") ? posix.join(dirname(file), name) : name;
  });
}

import type { Source } from "./sources.ts";

/** Finds cycles of imports, type imports included. Each is a list of files that begins and ends with the same file. */
export function importCircles(all: readonly Source[]): string[][] {
  const importsOf = new Map(all.map(({ file, imports }) => [file, imports]));
  const finished = new Set<string>();
  const circles: string[][] = [];
  for (const { file } of all) visit(file, []);
  return circles;

  function visit(file: string, path: string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    if (path.includes(file) || finished.has(file)) return;
    for (const next of importsOf.get(file) ?? []) visit(next, [...path, file]);
    finished.add(file);
  }
}

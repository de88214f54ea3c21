// Which tests reach a source file, nearest first.
import { type Source, sources } from "../support/sources.ts";

/** Returns for a source file the test files that import it, directly or not: first its own, then by distance. */
export function testsByDistance(all: readonly Source[] = sources("functions", "lib", "infra", "test")) {
  const importersOf = new Map<string, string[]>();
  for (const { file, imports } of all)
    for (const name of imports) importersOf.set(name, [...(importersOf.get(name) ?? []), file]);
  const tests = all.map(({ file }) => file).filter((file) => /(?<!\.long)\.test\.ts$/.test(file));

  return (file: string): string[] => {
    const own = file.replace(/\.tsx?$/, "");
    const found = new Set(tests.filter((each) => each.startsWith(`test/${own}.`) || each.startsWith(`test/${own}-`)));
    const seen = new Set([file]);
    for (let level = [file]; level.length > 0; ) {
      level = level.flatMap((each) => importersOf.get(each) ?? []).filter((each) => !seen.has(each) && seen.add(each));
      for (const each of level) if (tests.includes(each)) found.add(each);
    }
    return [...found];
  };
}

// A promise that is kept in a variable is awaited later. If the code in between throws, nobody handles its rejection,
// which ends the process. Biome reports promises that are never awaited, but not these, nor those after `void`.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const files = new Map(globSync("{lib,functions}/**/*.ts").map((path) => [path, readFileSync(path, "utf8")] as const));

const declarations = [/async function\*? (\w+)/g, /const (\w+) = async[ (<]/g, /function (\w+)[^{;]*\): Promise</g];

/** The names of a file's functions that return a promise. */
const asyncNames = new Map(
  [...files].map(([path, text]) => {
    const names = declarations.flatMap((declaration) => [...text.matchAll(declaration)].map(([, name]) => name));
    return [path, new Set(names)] as const;
  }),
);

/** The calls that return a promise, as the file writes them: its own functions, and those that it imports. */
function asyncCallsOf(path: string, text: string): Set<string> {
  const calls = new Set(["Promise.all", "Promise.race", "Promise.allSettled", ...(asyncNames.get(path) ?? [])]);
  for (const [, all, some = "", from = ""] of text.matchAll(/import (?:\* as (\w+)|\{([^}]*)\}) from "(\.[^"]*)"/g)) {
    const names = [...(asyncNames.get(join(dirname(path), from)) ?? [])];
    const imported = new Set(some.split(",").map((each) => each.trim()));
    for (const name of names) if (all || imported.has(name as string)) calls.add(all ? `${all}.${name}` : `${name}`);
  }
  return calls as Set<string>;
}

/** A variable whose value is the result of a call that is not awaited. */
const variable = /^ *(?:const|let) [^=;\n]+ = ([\w.]+)(?:<[^>\n]*>)?\(.*/gm;

/** Variables whose promise is never rejected unhandled, with the reason. */
const allowed: Record<string, string> = {
  "functions/user-tokens/token-generate.ts: const signing = tokenSigner({ workspace, userId }, expiresInSeconds);":
    "the next lines cannot throw",
  "lib/http/call-end.ts: const writes = Promise.allSettled(call.writes);": "it is never rejected",
  "lib/http/keyed-call.ts: const claiming = claimKey(ref, declared.timeoutSeconds, data, claimId);":
    "the next lines cannot throw",
  "lib/store/format.ts: const read = Table.getEventually<TableFormat>(formatEntity.key({})).catch(() => undefined);":
    "it is never rejected",
};

it("the code keeps no promise in a variable while it does something else", () => {
  const kept = [...files].flatMap(([path, text]) => {
    const calls = asyncCallsOf(path, text);
    const found = [...text.matchAll(variable)].filter(([, name = ""]) => calls.has(name));
    return found.map(([line]) => `${path}: ${line.trim()}`);
  });
  expect(kept.filter((each) => !allowed[each])).toEqual([]);
  expect(Object.keys(allowed).filter((each) => !kept.includes(each))).toEqual([]);
});

it("no statement hides a promise from the linter with `void`", () => {
  const hiding = [...files].flatMap(([path, text]) =>
    [...text.matchAll(/^(?:.*[){};]| *(?:else|do))? *void [^;]*/gm)].map(([line]) => `${path}: ${line.trim()}`),
  );
  expect(hiding).toEqual([]);
});

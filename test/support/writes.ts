// Finds the writes of items in the text of sources, each with the text of its condition.

export interface FoundWrite {
  /** The function that makes the write. */
  write: string;
  /** Undefined when the write has none. */
  condition: string | undefined;
}

/** Functions that take a condition and give it to an entity: the position of the condition, and its default. */
const forwarding = [
  { module: "lib/jobs/store.ts", name: "ending", at: 2 },
  { module: "lib/store/access/grant.ts", name: "onFolder", at: 2 },
  { module: "lib/store/setting.ts", name: "updating", at: 3 },
  { module: "lib/store/webhooks/webhook-endpoint.ts", name: "update", at: 2, otherwise: '"present"' },
  { module: "lib/store/webhooks/webhook-endpoint.ts", name: "updating", at: 2, otherwise: '"present"' },
];

const conditionAt = { put: 2, update: 2, delete: 1 };

/** The writes that a source makes by entities, and those where it adds a condition to a write as `if`. */
export function writesIn(source: string, file = ""): FoundWrite[] {
  const byEntity = callsIn(source, /\b(\w+Entity)\.(put|update|delete)\(/g, ([, entity, verb], given) => ({
    write: `${entity}.${verb}`,
    condition: given[conditionAt[verb as keyof typeof conditionAt]],
  }));
  const forwarded = forwarding.flatMap(({ module, name, at, otherwise }) => {
    const prefix = module === file ? "(?<!function |[.\\w])" : `\\b${namespaceOf(module)}\\.`;
    return callsIn(source, new RegExp(`${prefix}${name}(?:<[^(]*>)?\\(`, "g"), (_, given) => ({
      write: `${namespaceOf(module)}.${name}`,
      condition: given[at] ?? otherwise,
    }));
  });
  const added = callsIn(source, /\{(?=[^{}]*(?:\{[^{}]*\}[^{}]*)*\bif: )/g, (_, given) => ({
    write: given[0]?.replace("...", "") ?? "",
    condition: given.find((each) => each.startsWith("if: "))?.slice("if: ".length),
  })).filter(({ condition }) => condition !== undefined);
  return [...byEntity, ...forwarded, ...added];
}

const callsIn = (
  source: string,
  pattern: RegExp,
  found: (match: RegExpExecArray, given: string[]) => FoundWrite,
): FoundWrite[] =>
  [...source.matchAll(pattern)].map((match) => found(match, partsOf(source, match.index + match[0].length)));

/** "lib/store/webhooks/webhook-endpoint.ts" is imported as `WebhookEndpoint`. */
const namespaceOf = (module: string) =>
  module.replace(/.*\/|\.ts$/g, "").replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The declarations of what a condition names: the whole condition, or a function that it calls. */
export function declarationsOf(condition: string, source: string): string[] {
  const names = [...condition.matchAll(/^\w+$|\w+(?=\()/g)].map(([name]) => name);
  const declarations = names.flatMap((name) => source.match(new RegExp(`\\bconst ${name}\\b[^;]*;`, "g")) ?? []);
  return [...new Set(declarations.map(inOneLine))];
}

/** The arguments of a call, or the properties of an object; `start` is behind its bracket. */
function partsOf(source: string, start: number): string[] {
  const parts = [""];
  for (let index = start, depth = 0; ; index++) {
    const character = source.charAt(index);
    if (character === "") throw new Error("The call does not end.");
    if (/[)\]}]/.test(character) && depth-- === 0) return parts.map(inOneLine).filter((part) => part !== "");
    if (/[([{]/.test(character)) depth++;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
}

const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

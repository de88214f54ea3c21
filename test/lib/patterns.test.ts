import { runInNewContext } from "node:vm";
import { analyse } from "scslre";
import ts from "typescript";
import { expect, it } from "vitest";
import { sources } from "../support/sources.ts";

interface Pattern {
  place: string;
  /** An expression without types, whose value is the pattern. */
  code: string;
}

/** All patterns of a file: literals, and those that `RegExp` makes of texts. */
function patternsIn(file: string, text: string): Pattern[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression>();
  for (const statement of source.statements)
    if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations)
        if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer);

  /** The constants of the file that the code needs, each after those that it needs itself. */
  const needed = (node: ts.Node, found: Map<string, string> = new Map()): Map<string, string> => {
    const visit = (each: ts.Node): void => {
      const constant = ts.isIdentifier(each) && !found.has(each.text) ? constants.get(each.text) : undefined;
      if (constant) {
        needed(constant, found);
        found.set((each as ts.Identifier).text, constant.getText());
      }
      each.forEachChild(visit);
    };
    visit(node);
    return found;
  };

  const patterns: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    const isMade = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp";
    if (ts.isRegularExpressionLiteral(node) || isMade) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      const lines = [...needed(node)].map(([name, value]) => `const ${name} = ${value};`);
      const code = ts.transpile([...lines, node.getText()].join("\n"), { target: ts.ScriptTarget.ESNext });
      patterns.push({ place: `${file}:${line + 1}`, code });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return patterns;
}

/** The pattern. A name that the code does not know, such as a parameter, stands for one character. */
function patternOf(code: string): RegExp {
  try {
    return runInNewContext(code) as RegExp;
  } catch (thrown) {
    const name = /^(\w+) is not defined/.exec((thrown as Error).message)?.[1];
    if (!name) throw thrown;
    return patternOf(`const ${name} = ";";\n${code}`);
  }
}

/** Where the time of a pattern grows faster than the text: the character that must be repeated, and why. */
function problemsOf({ place, code }: Pattern): string[] {
  const { source, flags } = patternOf(code);
  const { reports } = analyse({ source, flags });
  return reports.map(
    ({ type, character }) => `${place} /${source}/${flags} on many /${character.literal.source}/: ${type}`,
  );
}

it("the time of every pattern grows at most with the length of the text", () => {
  const patterns = sources("functions", "lib", "infra").flatMap(({ file, text }) => patternsIn(file, text));
  expect(patterns.length).toBeGreaterThan(100);
  expect(patterns.flatMap(problemsOf)).toEqual([]);
});

it("finds patterns that are made of texts, and those that are not linear", () => {
  const text = String.raw`
    const end = "+$";
    const made: RegExp = new RegExp(${"`"}\\s${"$"}{end}${"`"} as string, "u");
    const few = text.replace(/(?<!=)=+$/, "").split(/,/);`;
  const patterns = patternsIn("example.ts", text);
  expect(patterns.map(({ place }) => place)).toEqual(["example.ts:3", "example.ts:4", "example.ts:4"]);
  expect(patterns.flatMap(problemsOf)).toEqual(["example.ts:3 /\\s+$/u on many /\\s/: Move"]);
});

// The places in the sources where one small change should make a test fail.
import ts from "typescript";
import { Random } from "../support/random.ts";
import { sources } from "../support/sources.ts";

export interface Mutation {
  operator: Operator;
  /** Relative to the project's root. */
  file: string;
  line: number;
  /** The changed characters, as offsets in the file. */
  start: number;
  end: number;
  before: string;
  after: string;
}

type Change = Pick<Mutation, "start" | "end" | "after">;
type Operator = keyof typeof operators;

/** Each finds its changes at one node. */
const operators = {
  /** A condition has its contrary. */
  negate: (node: ts.Node) => {
    if (ts.isIfStatement(node)) return [around(node.expression, "!(", ")")];
    return ts.isConditionalExpression(node) ? [around(node.condition, "!(", ")")] : [];
  },
  /** A comparison includes its boundary, or excludes it. */
  boundary: (node: ts.Node) => {
    if (!ts.isBinaryExpression(node)) return [];
    const after = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" }[node.operatorToken.getText()];
    return after === undefined ? [] : [instead(node.operatorToken, after)];
  },
  /** Nobody waits for a promise. `void`, since the linter finds a promise that nobody holds. */
  await: (node: ts.Node) =>
    ts.isExpressionStatement(node) && ts.isAwaitExpression(node.expression)
      ? [instead(node.expression, `void ${node.expression.expression.getText()}`)]
      : [],
  /** A write of an entity has no condition. */
  condition: (node: ts.Node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
    const count = { put: 3, update: 3, delete: 2 }[node.expression.name.text];
    const [last, former] = node.arguments.toReversed();
    if (node.arguments.length !== count || !last || !former || !/Entity$/.test(node.expression.expression.getText()))
      return [];
    return [{ start: former.end, end: last.end, after: "" }];
  },
  /** Two arguments change places. */
  swap: (node: ts.Node) => {
    if (!ts.isCallExpression(node)) return [];
    const [one, other] = node.arguments;
    if (!one || !other || one.kind !== other.kind || !ts.isIdentifier(one)) return [];
    return [{ start: one.getStart(), end: other.end, after: `${other.getText()}, ${one.getText()}` }];
  },
  /** A function lacks a grant. */
  grant: (node: ts.Node) => {
    if (!ts.isPropertyAssignment(node) || node.name.getText() !== "grants") return [];
    if (!ts.isArrayLiteralExpression(node.initializer)) return [];
    const { elements } = node.initializer;
    return elements.map((each) => {
      const left = elements.filter((other) => other !== each).map((other) => other.getText());
      return instead(node.initializer, `[${left.join(", ")}]`);
    });
  },
} satisfies Record<string, (node: ts.Node) => Change[]>;

const instead = (node: ts.Node, after: string): Change => ({ start: node.getStart(), end: node.end, after });
const around = (node: ts.Node, before: string, behind: string): Change =>
  instead(node, `${before}${node.getText()}${behind}`);

/** All mutations of the sources, by operator, in the order of the files. */
export function allMutations(): Map<Operator, Mutation[]> {
  const found = new Map<Operator, Mutation[]>();
  for (const { file, text } of sources("functions", "lib", "infra")) {
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      for (const operator of Object.keys(operators) as Operator[]) {
        const ofOperator = found.get(operator) ?? [];
        found.set(operator, ofOperator);
        for (const { start, end, after } of operators[operator](node)) {
          const line = tree.getLineAndCharacterOfPosition(start).line + 1;
          ofOperator.push({ operator, file, line, start, end, before: text.slice(start, end), after });
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return found;
}

/** Chooses as many of each operator. A file has at most one of an operator. The same seed and sources choose the same. */
export function choose(count: number, seed: number): Mutation[] {
  const random = new Random(String(seed));
  const queues = [...allMutations().values()].map((all) => {
    const taken = new Set<string>();
    return shuffled(all, random).filter(({ file }) => !taken.has(file) && taken.add(file));
  });
  const longest = Math.max(...queues.map((each) => each.length));
  return Array.from({ length: longest }, (_, index) => queues.flatMap((each) => each[index] ?? []))
    .flat()
    .slice(0, count);
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  return all
    .map((each) => ({ each, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ each }) => each);
}

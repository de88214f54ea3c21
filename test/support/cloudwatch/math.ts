// Evaluates the metric math of alarms as CloudWatch does: a series has one value for each period, and a missing value
// makes the result missing, unless FILL replaces it.

export type Series = (number | undefined)[];
type Value = number | Series;
type Operator = (one: number, other: number) => number | undefined;

const operators: Record<string, Operator> = {
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "*": (one, other) => one * other,
  // A division by zero has no value.
  "/": (one, other) => (other === 0 ? undefined : one / other),
  ">=": (one, other) => Number(one >= other),
  "<=": (one, other) => Number(one <= other),
  ">": (one, other) => Number(one > other),
  "<": (one, other) => Number(one < other),
};
/** The loosest first. */
const precedence = [
  [">=", "<=", ">", "<"],
  ["+", "-"],
  ["*", "/"],
];

/** Evaluates an expression over the series that it names. All have one length. Throws for anything that it lacks. */
export function evaluate(expression: string, series: Readonly<Record<string, Series>>): Series {
  const length = Object.values(series)[0]?.length ?? 0;
  const tokens = expression.match(/\w+(?:\.\d+)?|>=|<=|[^\s\w]/g) ?? [];
  const result = binary(0);
  if (tokens.length > 0) throw new Error(`Unexpected ${tokens[0]} in ${expression}`);
  return spread(result);

  function binary(level: number): Value {
    const known = precedence[level];
    if (!known) return operand();
    let left = binary(level + 1);
    while (tokens[0] !== undefined && known.includes(tokens[0])) {
      const operator = operators[tokens.shift() ?? ""] as Operator;
      left = combine(operator, left, binary(level + 1));
    }
    return left;
  }

  function operand(): Value {
    const token = tokens.shift() ?? "";
    if (token === "(") return closed(binary(0));
    if (/^\d/.test(token)) return Number(token);
    if (tokens[0] === "(") return called(token);
    const named = series[token];
    if (!named) throw new Error(`There is no metric ${token} for ${expression}`);
    return named;
  }

  function called(name: string): Value {
    const given: Value[] = [];
    do {
      tokens.shift();
      given.push(binary(0));
    } while (tokens[0] === ",");
    const [first = [], second = [], third = []] = given.map(spread);
    if (name === "FILL") return closed(eachAt((at) => first[at] ?? second[at]));
    if (name === "IF") return closed(eachAt((at) => pick(first[at], second[at], third[at])));
    throw new Error(`The function ${name} is not implemented.`);
  }

  function closed(value: Value): Value {
    if (tokens.shift() !== ")") throw new Error(`A parenthesis is missing in ${expression}`);
    return value;
  }

  function combine(operator: Operator, left: Value, right: Value): Value {
    const [one, other] = [spread(left), spread(right)];
    return eachAt((at) => {
      const [here, there] = [one[at], other[at]];
      return here === undefined || there === undefined ? undefined : operator(here, there);
    });
  }

  function spread(value: Value): Series {
    return typeof value === "number" ? eachAt(() => value) : value;
  }

  function eachAt(valueAt: (at: number) => number | undefined): Series {
    return Array.from({ length }, (_, at) => valueAt(at));
  }
}

const pick = (condition: number | undefined, yes: number | undefined, no: number | undefined) =>
  condition === undefined ? undefined : condition ? yes : no;

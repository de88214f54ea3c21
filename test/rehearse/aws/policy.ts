// Decides as IAM does whether the statements of a role allow a request. It knows what this stack's policies use, and
// refuses to guess anything else.

export interface Statement {
  Effect: "Allow" | "Deny";
  Action: string | string[];
  Resource: string | string[];
  /** Values by context key, by operator. */
  Condition?: Record<string, Record<string, string | string[]>>;
}

/** One permission that a request needs. */
export interface Need {
  action: string;
  resource: string;
  /** Values of IAM's context keys. */
  context?: Record<string, readonly string[]>;
}

/** As IAM: one statement must allow it, and none may deny it. */
export function isAllowed(statements: readonly Statement[], need: Need): boolean {
  const effects = statements.filter((statement) => matches(statement, need)).map(({ Effect }) => Effect);
  return effects.includes("Allow") && !effects.includes("Deny");
}

function matches({ Action, Resource, Condition = {} }: Statement, { action, resource, context = {} }: Need): boolean {
  const isNamed = [Action].flat().some((pattern) => like(pattern.toLowerCase(), action.toLowerCase()));
  return isNamed && [Resource].flat().some((pattern) => like(pattern, resource)) && holds(Condition, context);
}

type Compare = (wanted: string, value: string) => boolean;

const operators: Record<string, Compare> = { StringEquals: (wanted, value) => wanted === value, StringLike: like };

function holds(condition: NonNullable<Statement["Condition"]>, context: NonNullable<Need["context"]>): boolean {
  return Object.entries(condition).every(([written, keys]) => {
    const [, forAll, name = ""] = /^(ForAllValues:)?(\w+)$/.exec(written) ?? [];
    const compare = operators[name];
    if (!compare) throw new Error(`test/rehearse/aws/policy.ts does not know the condition operator ${written}.`);
    return Object.entries(keys).every(([key, wanted]) => {
      const values = context[key] ?? [];
      const isWanted = (value: string) => [wanted].flat().some((each) => compare(each, value));
      // `ForAllValues` also holds for a request without the key.
      return forAll ? values.every(isWanted) : values.length > 0 && values.some(isWanted);
    });
  });
}

/** `*` stands for any characters, `?` for one. */
function like(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", "[^]*")
    .replaceAll("?", "[^]");
  return new RegExp(`^${source}$`).test(text);
}

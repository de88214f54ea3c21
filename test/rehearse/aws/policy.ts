// Decides as IAM does whether the statements of a role allow a request. It knows what this stack's policies use, and
// refuses to guess anything else.

/** A statement with one action: IAM decides the same for a statement of several actions and for one of each. */
export interface Statement {
  Effect: "Allow" | "Deny";
  Action: string;
  Resource: string | string[];
  /** Values by context key, by operator. */
  Condition?: Record<string, Record<string, string | string[]>>;
  /** All actions of the statement as the policy has it: together they are one grant. */
  together?: readonly string[];
}

/** One permission that a request needs. */
export interface Need {
  action: string;
  resource: string;
  /** Values of IAM's context keys. */
  context?: Record<string, readonly string[]>;
}

type Written = Omit<Statement, "Action" | "together"> & { Action: string | string[] };

const elements = new Set(["Sid", "Effect", "Action", "Resource", "Condition"]);
/** The context keys that `needs.ts` gives a value. With any other, `ForAllValues` would hold for every request. */
const contextKeys = /^(?:dynamodb:LeadingKeys|kms:EncryptionContext:\w+)$/;

/** The statements of a policy, one for each action. Throws if they have something that is not evaluated here. */
export function statementsOf(policy: readonly Written[]): Statement[] {
  return policy.flatMap(({ Action, ...rest }) => {
    const unknown = Object.keys(rest).filter((name) => !elements.has(name));
    const condition = Object.entries(rest.Condition ?? {});
    const operators = condition.map(([written]) => written).filter((written) => !operatorOf(written));
    const keys = condition.flatMap(([, each]) => Object.keys(each)).filter((key) => !contextKeys.test(key));
    const [first] = [...unknown, ...operators, ...keys];
    if (first) throw new Error(`test/rehearse/aws/policy.ts does not know ${first} in a statement.`);
    const together = [Action].flat();
    return together.map((action) => ({ ...rest, Action: action, together }));
  });
}

/** The statements that allow the request: none if one denies it. */
export function allowing(role: readonly Statement[], need: Need): Statement[] {
  const matching = role.filter((statement) => matches(statement, need));
  return matching.some(({ Effect }) => Effect === "Deny") ? [] : matching;
}

export function isAllowed(role: readonly Statement[], need: Need): boolean {
  return allowing(role, need).length > 0;
}

function matches({ Action, Resource, Condition = {} }: Statement, { action, resource, context = {} }: Need): boolean {
  const isNamed = like(Action.toLowerCase(), action.toLowerCase());
  return isNamed && [Resource].flat().some((pattern) => like(pattern, resource)) && holds(Condition, context);
}

type Compare = (wanted: string, value: string) => boolean;

const operators: Record<string, Compare> = { StringEquals: (wanted, value) => wanted === value, StringLike: like };

function operatorOf(written: string): { forAll: boolean; compare: Compare } | undefined {
  const [, forAll, name = ""] = /^(ForAllValues:)?(\w+)$/.exec(written) ?? [];
  const compare = Object.hasOwn(operators, name) ? operators[name] : undefined;
  return compare && { forAll: forAll !== undefined, compare };
}

function holds(condition: NonNullable<Statement["Condition"]>, context: NonNullable<Need["context"]>): boolean {
  return Object.entries(condition).every(([written, keys]) => {
    const operator = operatorOf(written);
    if (!operator) throw new Error(`test/rehearse/aws/policy.ts does not know the condition operator ${written}.`);
    return Object.entries(keys).every(([key, wanted]) => {
      const values = context[key] ?? [];
      const isWanted = (value: string) => [wanted].flat().some((each) => operator.compare(each, value));
      // `ForAllValues` also holds for a request without the key.
      return operator.forAll ? values.every(isWanted) : values.length > 0 && values.some(isWanted);
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

// Resolves the functions of CloudFormation that the template uses. Anything else throws.

export interface Names {
  /** The value of `Ref` for a logical id. */
  ref(id: string): string;
  /** The value of an attribute of a logical id. */
  attribute(id: string, name: string): string;
}

const pseudo: Record<string, string> = {
  "AWS::Region": "us-east-1",
  "AWS::AccountId": "000000000000",
  "AWS::Partition": "aws",
  "AWS::URLSuffix": "amazonaws.com",
};

export function resolved<T>(value: T, names: Names): T {
  if (Array.isArray(value)) return value.map((each) => resolved(each, names)) as T;
  if (typeof value !== "object" || value === null) return value;
  const [[name, argument] = ["", undefined], ...more] = Object.entries(value);
  if (more.length === 0 && (name === "Ref" || name.startsWith("Fn::"))) return evaluated(name, argument, names) as T;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each, names)])) as T;
}

// biome-ignore lint/suspicious/noExplicitAny: each function has its own argument
function evaluated(name: string, argument: any, names: Names): unknown {
  if (name === "Ref") return pseudo[argument] ?? names.ref(argument);
  if (name === "Fn::GetAtt") return names.attribute(argument[0], argument[1]);
  if (name === "Fn::Join") return resolved(argument[1], names).join(argument[0]);
  throw new Error(`test/rehearse/aws/intrinsics.ts does not know ${name}.`);
}

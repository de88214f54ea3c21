// What a template says about the table, the key and the bucket of a stack.

export interface Resource {
  Type: string;
  Properties?: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

export interface Template {
  /** `Settings`: those that were named when the template was made. */
  Metadata?: { Settings?: Record<string, unknown> };
  Resources: Record<string, Resource>;
  Outputs?: Record<string, { Value?: unknown }>;
}

export interface Kind {
  name: "table" | "key" | "bucket";
  types: readonly string[];
  /** The setting that adopts an existing one. */
  setting: "existingTableName" | "existingKeyArn" | "existingBucketName";
  /** Its value is a reference to the stack's own resource, or the name of an adopted one. */
  output: "TableName" | "KeyArn" | "BucketName";
  /** CloudFormation replaces the resource when one of these properties changes, or refuses the deployment. */
  fixed: readonly string[];
}

export const tableKind: Kind = {
  name: "table",
  types: ["AWS::DynamoDB::GlobalTable", "AWS::DynamoDB::Table"],
  setting: "existingTableName",
  output: "TableName",
  fixed: ["TableName", "KeySchema", "LocalSecondaryIndexes", "ImportSourceSpecification"],
};

export const kinds: readonly Kind[] = [
  tableKind,
  {
    name: "key",
    types: ["AWS::KMS::Key"],
    setting: "existingKeyArn",
    output: "KeyArn",
    fixed: ["KeySpec", "KeyUsage", "MultiRegion", "Origin"],
  },
  {
    name: "bucket",
    types: ["AWS::S3::Bucket"],
    setting: "existingBucketName",
    output: "BucketName",
    fixed: ["BucketName", "BucketNamePrefix", "BucketNamespace"],
  },
];

/** The sentences of the rows that do not hold. */
export function problemsOf(rows: readonly (readonly [holds: boolean, problem: string])[]): string[] {
  return rows.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}

/** The resources of a kind that the stack itself makes, by logical id. */
export function ownOf({ types }: Kind, { Resources }: Template): [id: string, Resource][] {
  return Object.entries(Resources).filter(([, { Type }]) => types.includes(Type));
}

/** The name or ARN of what the stack adopts; undefined when it makes its own. */
export function adoptedOf({ output }: Kind, { Outputs = {} }: Template): string | undefined {
  const value = Outputs[output]?.Value;
  return typeof value === "string" ? value : undefined;
}

/** Whether CloudFormation leaves the resource in the account when the stack no longer has it. */
export function isRetained({ DeletionPolicy = "", UpdateReplacePolicy = "" }: Resource): boolean {
  return /^Retain/.test(DeletionPolicy) && /^Retain/.test(UpdateReplacePolicy);
}

interface Replica {
  DeletionProtectionEnabled?: boolean;
  PointInTimeRecoverySpecification?: { PointInTimeRecoveryEnabled?: boolean };
}

function replicasOf({ Properties = {} }: Resource): Replica[] {
  const { Replicas = [Properties as Replica] } = Properties as { Replicas?: Replica[] };
  return Replicas;
}

/** Whether each replica of a table has deletion protection. */
export function isProtected(table: Resource): boolean {
  return replicasOf(table).every(({ DeletionProtectionEnabled }) => DeletionProtectionEnabled === true);
}

/** Whether each replica of a table has point-in-time recovery. */
export function isRecoverable(table: Resource): boolean {
  return replicasOf(table).every((each) => each.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled === true);
}

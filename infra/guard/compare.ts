// Whether a new template keeps the data of the deployed stack. CloudFormation replaces a resource without a question. After
// a renamed construct or a changed key schema, the stack has a new, empty table.
import { isDeepStrictEqual } from "node:util";
import {
  adoptedOf,
  isProtected,
  isRecoverable,
  isRetained,
  type Kind,
  kinds,
  ownOf,
  type Resource,
  type Template,
} from "./template.ts";

export interface Stacks {
  /** The template of the deployed stack; undefined before the first deployment. */
  deployed: Template | undefined;
  next: Template;
  /** The physical ids of the deployed stack's resources, by logical id. */
  physicalIds: Readonly<Record<string, string>>;
}

/** Returns one sentence or two for each way in which the template loses data, and what to do. Empty: it loses none. */
export function lossesOf({ deployed, next, physicalIds }: Stacks): string[] {
  if (!deployed) return firstLosses(next);
  return kinds.flatMap((kind) => [
    ...ownOf(kind, deployed).flatMap(([id, was]) => lossesOfOne(kind, id, was, next, physicalIds[id])),
    ...adoptedLosses(kind, deployed, next),
  ]);
}

/** Every secret in a table is sealed with the key of its stack. */
function firstLosses(next: Template): string[] {
  const [table, key] = kinds.map((kind) => adoptedOf(kind, next));
  if (!table || key) return [];
  return [
    `The new stack adopts the table ${table} and makes a new key, which opens no secret of that table. Set existingKeyArn to the key of the stack that wrote the table.`,
  ];
}

function lossesOfOne(kind: Kind, id: string, was: Resource, next: Template, physicalId: string | undefined): string[] {
  const is = next.Resources[id];
  if (!is || is.Type !== was.Type) return leavingLosses(kind, id, was, next, physicalId);
  const changed = changedProperties(kind, was, is);
  return [
    ...changed.map(
      (name) =>
        `${name} of the ${kind.name} ${id} changes: CloudFormation would replace the ${kind.name} by an empty one.`,
    ),
    ...(isRetained(was) && !isRetained(is)
      ? [`The ${kind.name} ${id} would be deleted with the stack. Leave development false for a stack that has data.`]
      : []),
    ...(kind.name === "table" ? tableLosses(id, was, is) : []),
  ];
}

function tableLosses(id: string, was: Resource, is: Resource): string[] {
  return [
    ...(isProtected(was) && !isProtected(is)
      ? [`The table ${id} would lose its deletion protection. Leave development false for a stack that has data.`]
      : []),
    ...(isRecoverable(was) && !isRecoverable(is)
      ? [`The table ${id} would lose its point-in-time recovery, and with it the backups of the last 35 days.`]
      : []),
    ...(isDeepStrictEqual(was.Properties?.TimeToLiveSpecification, is.Properties?.TimeToLiveSpecification)
      ? []
      : [`The time to live of the table ${id} changes: DynamoDB would delete other items, or none.`]),
    ...indexProblems(id, was, is),
  ];
}

function changedProperties({ fixed, name }: Kind, was: Resource, is: Resource): string[] {
  const [before, after] = [was.Properties ?? {}, is.Properties ?? {}];
  const changed = fixed.filter((property) => !isDeepStrictEqual(before[property], after[property]));
  return name === "table" && hasOtherTypes(before, after) ? [...changed, "AttributeDefinitions"] : changed;
}

/** An attribute that a new index adds does not replace the table. */
function hasOtherTypes(before: Record<string, unknown>, after: Record<string, unknown>): boolean {
  const typesOf = ({ AttributeDefinitions = [] }: { AttributeDefinitions?: Attribute[] }) =>
    new Map(AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
  const [old, now] = [typesOf(before), typesOf(after)];
  return [...old].some(([attribute, type]) => now.has(attribute) && now.get(attribute) !== type);
}

interface Attribute {
  AttributeName: string;
  AttributeType: string;
}

/** A table, key or bucket may leave the stack if it is retained, and if a setting names what is used from then on. */
function leavingLosses(kind: Kind, id: string, was: Resource, next: Template, physicalId?: string): string[] {
  const { name, setting } = kind;
  const losses: string[] = [];
  // CloudFormation follows the policy of the deployed template, not that of the new one.
  if (!isRetained(was)) {
    losses.push(
      `The ${name} ${id} leaves the template and would be deleted, because the deployed stack does not retain it.`,
    );
  }
  const adopted = adoptedOf(kind, next);
  const [newId] = ownOf(kind, next).map(([each]) => each);
  if (!adopted) {
    const instead = newId
      ? `${newId} would be a new, empty ${name}. Keep the construct's path, or`
      : "To use another one,";
    losses.push(`The ${name} ${id} leaves the template. ${instead} set ${setting}.`);
  } else if (name === "key" && (physicalId === undefined || !adopted.endsWith(`/${physicalId}`))) {
    losses.push(otherKey(physicalId ?? id, adopted));
  }
  return losses;
}

const otherKey = (used: string, adopted: string) =>
  `The stored secrets are sealed with the key ${used}, and ${adopted} does not open them. Set existingKeyArn to the former.`;

/** What the deployed stack adopts must stay adopted. The table and the bucket can be other ones, such as a new restore. */
function adoptedLosses(kind: Kind, deployed: Template, next: Template): string[] {
  const [used, adopted] = [adoptedOf(kind, deployed), adoptedOf(kind, next)];
  if (!used) return [];
  if (!adopted) {
    return [
      `The deployed stack uses the ${kind.name} ${used}, and the template makes a new, empty one. Set ${kind.setting}=${used}.`,
    ];
  }
  return kind.name === "key" && adopted !== used ? [otherKey(used, adopted)] : [];
}

interface Index {
  IndexName: string;
  KeySchema?: unknown;
  Projection?: unknown;
}

/**
 * Why DynamoDB cannot change the indexes of the deployed table to those of the template in one update. Then the
 * deployment fails when some of its resources are changed already.
 */
function indexProblems(table: string, was: Resource, is: Resource): string[] {
  const [before, after] = [indexesOf(was), indexesOf(is)];
  const changed = [...after].filter(([name, index]) => before.has(name) && !isDeepStrictEqual(before.get(name), index));
  const added = [...after.keys()].filter((name) => !before.has(name));
  const removed = [...before.keys()].filter((name) => !after.has(name));
  return [
    ...changed.map(
      ([name]) =>
        `The index ${name} of the table ${table} changes, and DynamoDB cannot change an index. Give the new one another name.`,
    ),
    ...(added.length + removed.length > 1 ? [severalChanges(table, added, removed)] : []),
  ];
}

function severalChanges(table: string, added: string[], removed: string[]): string {
  const changes = [...added.map((name) => `adds ${name}`), ...removed.map((name) => `removes ${name}`)].join(" and ");
  return `The template ${changes} as index of the table ${table}, and an update of a table creates or deletes one index. Deploy them one after the other: infra/DEPLOYMENT.md#another-index.`;
}

function indexesOf({ Properties = {} }: Resource): Map<string, Index> {
  const { GlobalSecondaryIndexes = [] } = Properties as { GlobalSecondaryIndexes?: Index[] };
  return new Map(
    GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => [
      IndexName,
      { IndexName, KeySchema, Projection },
    ]),
  );
}

// Whether DynamoDB can change the indexes of the deployed table to those of the template in one update. Otherwise the
// deployment fails when some of its resources are changed already.
import { isDeepStrictEqual } from "node:util";
import type { Resource } from "./template.ts";

interface Index {
  IndexName: string;
  KeySchema?: unknown;
  Projection?: unknown;
}

export function indexProblems(table: string, was: Resource, is: Resource): string[] {
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

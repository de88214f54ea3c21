// How far the migration of the table's items has come. Each segment of the table has an item of its own.
import { entity } from "../dynamodb/entity.ts";
import type { Key } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";

export interface Progress {
  segment: number;
  segments: number;
  /** The format to which it migrates. */
  to: number;
  /** The deployment that wrote items while they were migrated. After another one, the migration starts again. */
  deployment: string;
  /** Counts from 0. */
  pass: number;
  /** The last key that was read; absent at the beginning. */
  after?: Key | undefined;
  isDone: boolean;
  /** Items in all passes. */
  examined: number;
  migrated: number;
  /** Items in this pass. */
  migratedInPass: number;
  /** The run that may write this item: the one that started last. */
  runId: string;
}

export const itemMigrationEntity = entity<Progress>()({
  name: "item-migration",
  attributes: {
    segment: true,
    segments: true,
    to: true,
    deployment: true,
    pass: true,
    after: true,
    isDone: true,
    examined: true,
    migrated: true,
    migratedInPass: true,
    runId: true,
  },
  pk: () => "FORMAT",
  prefix: "MIGRATION#",
  sk: ({ segment }: { segment: number }) => String(segment).padStart(4, "0"),
});

/** The progress of all segments. */
export async function list(): Promise<Progress[]> {
  return (await Array.fromAsync(Table.all<Progress>(itemMigrationEntity.range({})))).flat();
}

/** Stores progress over that of the run `formerRunId`; undefined: there is none. False: another run has it. */
export async function save(progress: Progress, formerRunId: string | undefined): Promise<boolean> {
  const condition = formerRunId === undefined ? "absent" : { runId: formerRunId };
  return commit([itemMigrationEntity.put(progress, progress, condition)]);
}

/** The writes that delete the progress of a run. */
export const removal = (all: readonly Progress[]) =>
  all.map((each) => itemMigrationEntity.delete(each, { runId: each.runId }));

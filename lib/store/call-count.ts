// The calls that a workspace has made since its token bucket was last full (DECISIONS.md#calls-of-a-workspace). No
// escaped id contains "%C", so the grant `table:calls` fits no other item.
import { entity } from "../dynamodb/entity.ts";
import * as Table from "../dynamodb/table.ts";
import { tryUpdate } from "../dynamodb/try-update.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";

export interface CallCount {
  /** The time from which calls count, ms since the epoch. The token bucket was full then. */
  since: number;
  calls: number;
}

const suffix = "#%CALLS";

/** The partition keys of all workspaces, as a pattern of an IAM condition. */
export const callCountPartitions = `W#*${suffix}`;

export const callCountEntity = entity<CallCount>()({
  name: "call-count",
  attributes: { since: true, calls: true },
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}${suffix}`,
  sk: () => "COUNT",
});

export async function get(ref: WorkspaceRef): Promise<CallCount | undefined> {
  return Table.get<CallCount>(callCountEntity.key(ref));
}

/** Adds calls. Returns the count after it; undefined when `since` has changed. */
export async function add(ref: WorkspaceRef, since: number, calls: number): Promise<CallCount | undefined> {
  return tryUpdate<CallCount>({ update: callCountEntity.key(ref), add: { calls }, if: { since } });
}

/** Starts a new count. Returns it; undefined when the count is no longer `from`. */
export async function restart(
  ref: WorkspaceRef,
  from: CallCount | undefined,
  to: CallCount,
): Promise<CallCount | undefined> {
  const asRead = { since: from?.since, calls: from?.calls };
  return tryUpdate<CallCount>(callCountEntity.update(ref, { set: to }, asRead));
}

// The calls since a token bucket was last full (DECISIONS.md#calls-of-a-workspace). The servers of a workspace have a
// bucket, all its users have one, and each user has one. No escaped id contains "%C". So the grant `table:calls` fits no
// item of another kind.
import { entity } from "../dynamodb/entity.ts";
import * as Table from "../dynamodb/table.ts";
import { tryUpdate } from "../dynamodb/try-update.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";

export interface CallCount {
  /** The time from which calls count, ms since the epoch. The token bucket was full then. */
  since: number;
  calls: number;
  /** When the count of a user ends, Unix seconds. A new one begins with the next call. */
  ttl?: number | undefined;
}

/** `of`: absent for the servers. The hash of a user's id, so that no erasure has to look for it. */
export interface CallCountRef extends WorkspaceRef {
  of?: string | undefined;
}

export interface CallLimit {
  perSecond: number;
  burst: number;
}

/** The calls that one limit counts. `whose`: for a message, such as "The workspace makes". */
export interface Bucket {
  ref: CallCountRef;
  limit: CallLimit;
  whose: string;
}

const userCountSeconds = 3_600;

const suffix = "#%CALLS";

/** The partition keys of all workspaces, as a pattern of an IAM condition. */
export const callCountPartitions = `W#*${suffix}`;

/** What calls leave behind, apart from the data of the workspace. `part`: of several partitions. */
export const callCountPartition = (ref: WorkspaceRef, part?: string) =>
  `${workspacePartition(ref)}${part === undefined ? "" : `#${part}`}${suffix}`;

export const callCountEntity = entity<CallCount>()({
  name: "call-count",
  attributes: ["since", "calls", "ttl"],
  pk: (ref: WorkspaceRef) => callCountPartition(ref),
  sk: ({ of }: Pick<CallCountRef, "of">) => (of === undefined ? "COUNT" : `COUNT#${of}`),
});

export async function get(ref: CallCountRef): Promise<CallCount | undefined> {
  return Table.get<CallCount>(callCountEntity.key(ref));
}

/** Adds calls. Returns the count after it; undefined when `since` has changed. */
export async function add(ref: CallCountRef, since: number, calls: number): Promise<CallCount | undefined> {
  return tryUpdate<CallCount>({ update: callCountEntity.key(ref), add: { calls }, if: { since } });
}

/** Starts a new count. Returns it; undefined when the count is no longer `from`. */
export async function restart(
  ref: CallCountRef,
  from: CallCount | undefined,
  to: CallCount,
): Promise<CallCount | undefined> {
  const asRead = { since: from?.since, calls: from?.calls };
  const ttl = ref.of === undefined ? undefined : Math.ceil(to.since / 1_000) + userCountSeconds;
  return tryUpdate<CallCount>(callCountEntity.update(ref, { set: { ...to, ttl } }, asRead));
}

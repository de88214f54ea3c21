// The slots of a workspace for calls and jobs that wait for someone else (DECISIONS.md#waits-for-others). A slot is
// held by a lease, so the slot of a dead process becomes free when the lease ends. No escaped id contains "%S", so the
// grant `table:slots` fits no other item.
import { entity } from "../dynamodb/entity.ts";
import { shardOf } from "../dynamodb/key.ts";
import { ConflictError } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import { tryTransaction } from "../dynamodb/transaction.ts";
import type { Write } from "../dynamodb/write.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";

/** Slots of one workspace, by kind of holder. An account of AWS runs 1,000 functions at once by default. */
export const slotCounts = {
  /** Calls that wait for a model: 2 % of an account. */
  model: 20,
  /** Calls that wait for the permission provider. At 200 ms each, these are 100 calls a second, a workspace's limit. */
  provider: 20,
  /** Extractions in flight. A worker reads one file at a time, and by default there are six of them. */
  extraction: 2,
  /** Calls that wait for an extraction that another call started, or for one of its slots. */
  extractionCall: 10,
  /** Jobs of notifications that ask the permission provider, or reach many users. By default, 57 workers run. */
  notify: 3,
  /** The erasure that runs. It takes those that wait. */
  erasure: 1,
} as const;

export type SlotKind = keyof typeof slotCounts;

interface WaitingSlot {
  /** The run, job or call that holds the slot, or held it last. */
  holder: string;
  /** The end of the lease, ms since the epoch. 0: released. */
  until: number;
}

interface SlotRef {
  kind: SlotKind;
  slot: number;
}

/** A slot that its holder has not released yet. */
export interface Held extends SlotRef, WorkspaceRef {
  holder: string;
}

const suffix = "#%SLOTS";

/** The partition keys of all workspaces, as a pattern of an IAM condition. */
export const slotPartitions = `W#*${suffix}`;

export const waitingSlotEntity = entity<WaitingSlot>()({
  name: "waiting-slot",
  attributes: ["holder", "until"],
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}${suffix}`,
  sk: ({ kind, slot }: SlotRef) => `${kind}#${slot}`,
});

/**
 * Takes a free slot for the holder, or prolongs the lease of the slot that it holds, to `milliseconds` from now.
 * Returns undefined when all slots were held, or when other calls took each free slot first.
 */
export async function hold(
  { workspace }: WorkspaceRef,
  kind: SlotKind,
  holder: string,
  milliseconds: number,
): Promise<Held | undefined> {
  const stored = await read({ workspace }, kind);
  const own = stored.filter(({ former }) => former?.holder === holder && former.until > 0);
  const free = stored.filter(({ former }) => (former?.until ?? 0) <= Date.now());
  const candidates = own.length > 0 ? own : fromHash(holder, free);
  for (const { slot, former } of candidates) {
    const asRead = { holder: former?.holder, until: former?.until };
    const set = { holder, until: Date.now() + milliseconds };
    const update = waitingSlotEntity.update({ workspace, kind, slot }, { set }, asRead);
    if (await write(update).catch(falseIfConflict)) return { workspace, kind, slot, holder };
  }
  return undefined;
}

/** Other calls that write the same slot at the same time are about to take it. */
function falseIfConflict(thrown: unknown): false {
  if (thrown instanceof ConflictError && thrown.isUnwritten) return false;
  throw thrown;
}

/** Frees the slot, unless its lease has ended and another holder has taken it. */
export async function release({ holder, ...ref }: Held): Promise<void> {
  await write(waitingSlotEntity.update(ref, { set: { until: 0 } }, { holder }));
}

/** Returns false when the condition failed. A repeat after a lost reply succeeds, as a transaction's does. */
async function write(update: Write): Promise<boolean> {
  return (await tryTransaction([{ writes: [update] }], [])).size === 0;
}

/** All slots of the kind. `former` is absent if a slot was never held. */
async function read(ref: WorkspaceRef, kind: SlotKind) {
  const [range, count] = [{ ...waitingSlotEntity.range(ref), beginsWith: `${kind}#` }, slotCounts[kind]];
  const items = await Table.first<WaitingSlot & { sk: string }>(range, count);
  return Array.from({ length: count }, (_, slot) => {
    const { sk } = waitingSlotEntity.key({ ...ref, kind, slot });
    return { slot, former: items.find((item) => item.sk === sk) };
  });
}

/** The list, rotated by the holder's hash: calls that begin at the same time rarely try the same slot first. */
function fromHash<T>(holder: string, list: readonly T[]): T[] {
  const start = shardOf(holder) % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

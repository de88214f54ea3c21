// The slots of a workspace for its extractions in flight. A run holds one by a lease, so a slot whose worker died is
// free when the lease has ended (DECISIONS.md#extraction-runs).
import { entity } from "../dynamodb/entity.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";

interface ExtractionSlot {
  /** The run that holds the slot, or held it last. */
  runId: string;
  /** The end of the lease, ms since the epoch. */
  until: number;
}

/** Extractions of one workspace in flight. */
export const slotCount = 2;
const slots = Array.from({ length: slotCount }, (_, slot) => ({ slot }));

export const extractionSlotEntity = entity<ExtractionSlot>()({
  name: "extraction-slot",
  attributes: { runId: true, until: true },
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#SLOTS`,
  sk: ({ slot }: { slot: number }) => String(slot),
});

/**
 * Takes a slot for the run, or prolongs the lease of the one that it holds, to `milliseconds` from now. Returns false
 * when all are held, or other calls were faster each time.
 */
export async function hold({ workspace }: WorkspaceRef, runId: string, milliseconds: number): Promise<boolean> {
  // When another call is faster, the slots are read again: it can be the same run's, or there is another free slot.
  for (let tries = 0; tries <= slotCount; tries++) {
    const stored = await read({ workspace });
    const own = stored.findIndex((each) => each?.runId === runId);
    const slot = own >= 0 ? own : stored.findIndex((each) => !each || each.until <= Date.now());
    if (slot < 0) return false;
    const former = stored[slot];
    const unchanged = former ? { runId: former.runId, until: former.until } : "absent";
    const held = { runId, until: Date.now() + milliseconds };
    if (await commit([extractionSlotEntity.put({ workspace, slot }, held, unchanged)])) return true;
  }
  return false;
}

/** Frees the slot of the run, if it holds one. */
export async function release({ workspace }: WorkspaceRef, runId: string): Promise<void> {
  const slot = (await read({ workspace })).findIndex((each) => each?.runId === runId && each.until > 0);
  if (slot >= 0) await commit([extractionSlotEntity.put({ workspace, slot }, { runId, until: 0 }, { runId })]);
}

const read = (ref: WorkspaceRef) =>
  Table.getMany<ExtractionSlot>(slots.map(({ slot }) => extractionSlotEntity.key({ ...ref, slot })));

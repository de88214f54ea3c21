// Bounds the calls of a workspace that wait for someone else (DECISIONS.md#waits-for-others).
import { randomUUID } from "node:crypto";
import { type ApiError, beyondLimit } from "../errors.ts";
import { log } from "../log.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as WaitingSlot from "../store/waiting-slot.ts";
import { withDeadline } from "./call-end.ts";

/** Longer than any call: the longest ends after 28 s. */
const leaseMs = 35_000;
/** A model or a provider usually answers in seconds. */
const retryAfterSeconds = 2;
/** How long the release of a slot may take. */
const releaseMsMax = 500;

const waiting = {
  model: "calls that wait for a model",
  provider: "calls that wait for its permission provider",
  extractionCall: "calls that wait for extractions of other calls",
} as const satisfies Partial<Record<WaitingSlot.SlotKind, string>>;

type CallSlotKind = keyof typeof waiting;

/** The failure of a call that finds all slots held: RESOURCE_EXHAUSTED. */
export type Full<T> = (failure: ApiError) => T;

/**
 * Runs `work`, which waits for someone else, in one of the workspace's slots of this kind. When all slots are held, it
 * immediately returns what `full` makes of the failure, or throws the failure.
 */
export async function inSlot<T>(
  ref: WorkspaceRef,
  kind: CallSlotKind,
  work: () => Promise<T>,
  full: Full<T> = (failure) => {
    throw failure;
  },
): Promise<T> {
  const held = await WaitingSlot.hold(ref, kind, randomUUID(), leaseMs);
  return held ? thenRelease(held, work) : full(tooMany(kind));
}

/** Runs `work`, then releases the slot. If that fails, the result stays, and the slot is free when its lease ends. */
export async function thenRelease<T>(held: WaitingSlot.Held, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await releaseSafely(held);
  }
}

/** Releases the slot. A failure is only logged: the slot is free when its lease ends. */
export async function releaseSafely(held: WaitingSlot.Held): Promise<void> {
  await withDeadline(releaseMsMax, WaitingSlot.release(held)).catch((cause) => {
    log("warn", "A slot was not released.", { workspace: held.workspace, kind: held.kind, cause });
  });
}

function tooMany(kind: CallSlotKind): ApiError {
  const message = `The workspace has ${WaitingSlot.slotCounts[kind]} ${waiting[kind]}. Try again after ${retryAfterSeconds} s.`;
  return beyondLimit(message, retryAfterSeconds);
}

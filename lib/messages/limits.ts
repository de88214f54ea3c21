// Limits of messages by address and by workspace (DECISIONS.md#limits-of-messages).
import type { WorkspaceRef } from "../store/refs.ts";

/** Whether a message may be sent to this address now. `later`: when it may be, ms since the epoch. */
export type Admission = { isAdmitted: true } | { later: number; error: string } | { refusal: string };

export async function admissionOf(_ref: WorkspaceRef, _address: string): Promise<Admission> {
  return { isAdmitted: true };
}

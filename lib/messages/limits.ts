// Limits of messages by address and by workspace (DECISIONS.md#limits-of-messages).
import type { MessageQueueRef } from "../store/waiting-message.ts";

/**
 * Whether a message may be sent to this address now. `digest`: it becomes a part of the next digest. `later`: when it may
 * be sent, ms since the epoch.
 */
export type Admission =
  | { countedOn: string }
  | { digest: string }
  | { later: number; error: string }
  | { refusal: string };

export async function admissionOf(_: {
  queue: MessageQueueRef;
  address: string;
  countedOn?: string | undefined;
  isFirst: boolean;
}): Promise<Admission> {
  return { countedOn: new Date().toISOString().slice(0, 10) };
}

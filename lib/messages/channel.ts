// A channel is one way in which messages reach people. Each message goes the same way: what waits is loaded, checked,
// rendered and sent, and the result is recorded (`deliver.ts`). A channel says only how its workspace sends.
import type { MessageChannel } from "../schema/message-channels.ts";
import type { UserRef, WorkspaceRef } from "../store/refs.ts";
import type { Digest } from "./digest.ts";

export interface Channel {
  name: MessageChannel;
  /** How the workspace sends now. `problem`: why it cannot, in a sentence for the message list. */
  senderOf(ref: WorkspaceRef): Promise<Sender | { problem: string }>;
}

export interface Sender {
  /** The address of a user. `problem`: the channel cannot reach the user. */
  addressOf(user: Addressee): Promise<{ address: string } | { problem: string } | Again>;
  /** Renders and sends. It throws for nothing that the provider does. */
  send(digest: Digest, address: string): Promise<Outcome>;
}

export interface Addressee extends UserRef {
  /** Of the user's profile. */
  email: string;
}

export type Outcome = { isSent: true } | Again | { refusal: string };

/** Not sent, but it may be later. `afterMs`: how long the provider asks to wait. */
export interface Again {
  again: string;
  afterMs?: number | undefined;
}

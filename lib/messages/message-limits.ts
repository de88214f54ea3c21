// Limits of messages by address and by workspace (DECISIONS.md#limits-of-messages).
import { hash } from "node:crypto";
import { log } from "../log.ts";
import { Lru } from "../lru.ts";
import { addressHash } from "../store/messages/address-hash.ts";
import * as Count from "../store/messages/message-count.ts";
import type { MessageQueueRef } from "../store/messages/waiting-message.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Workspace from "../store/workspace.ts";

/**
 * Each workspace may send so many messages a day to an address, whatever others send to it, and all workspaces together so
 * many more. So one workspace alone can send 50.
 */
export const shareMax = 20;
export const sharedMax = 30;
/** The default of a workspace. */
const workspaceMax = 10_000;

/**
 * Whether a message may be sent to this address now. `digest`: it becomes a part of the next digest. `later`: when it may
 * be sent, ms since the epoch.
 */
type Admission = { countedOn: string } | { digest: string } | { later: number; error: string } | { refusal: string };

interface Asked {
  queue: Pick<MessageQueueRef, "workspace" | "channel">;
  messageId: string;
  address: string;
  /** The day whose count includes the message already: all its attempts of one day take one place. */
  countedOn?: string | undefined;
  /** It can become a part of a digest: it was never tried, and is no digest itself. */
  mayBeInDigest: boolean;
}

/** Takes a place of the address and one of the workspace. */
export async function admissionOf({ queue, messageId, address, countedOn, mayBeInDigest }: Asked): Promise<Admission> {
  const { workspace, channel } = queue;
  const now = Date.now();
  const day = dayOf(now);
  if (countedOn === day) return { countedOn };
  const shared = { addressHash: await addressHash(channel === "email" ? address : `${channel}:${address}`), day };
  const place = await placeOf({ ...shared, workspace }, shared);
  if (!place) {
    const error = "The address has had its messages of today.";
    if (mayBeInDigest) return { digest: `${error} This one is in the digest of the next day.` };
    return { later: nextDay(now, messageId), error: `${error} This one is sent the next day.` };
  }
  const max = await maxOf({ workspace });
  if (await Count.take({ workspace, day }, max)) return { countedOn: day };
  await Count.giveBack(place).catch((cause: unknown) => {
    // A repeat could give two places back. Without one, the limit of the address is reached earlier.
    log("warn", "A place of an address was not given back.", { workspace, cause });
  });
  const error = `The workspace has sent ${max} messages today. This one is sent the next day.`;
  return { later: nextDay(now, messageId), error };
}

/** A place of the workspace's share, else one of those that all share. */
async function placeOf(own: Count.Counted, shared: Count.Counted): Promise<Count.Counted | undefined> {
  if (await Count.take(own, shareMax)) return own;
  return (await Count.take(shared, sharedMax)) ? shared : undefined;
}

const keptMs = 30_000;
const known = new Lru<string, { max: number; readAt: number }>(1_000);

async function maxOf({ workspace }: WorkspaceRef): Promise<number> {
  const kept = known.get(workspace);
  if (kept && Date.now() - kept.readAt < keptMs) return kept.max;
  const max = (await Workspace.get({ workspace }))?.messagesPerDay ?? workspaceMax;
  known.set(workspace, { max, readAt: Date.now() });
  return max;
}

const dayMs = 24 * 3_600_000;
/** Messages that wait for the next day are spread over this time. */
const spreadMs = 3_600_000;

/** The day, in UTC, of a time in ms since the epoch, as in `2026-11-24`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** When the digest of a user is sent, ms since the epoch. */
export const digestDueAt = (userId: string): number => nextDay(Date.now(), userId);

/** The next midnight of UTC after `now`, and up to an hour more: the same for the same id. Both are ms since the epoch. */
export function nextDay(now: number, id: string): number {
  const spread = hash("sha256", id, "buffer").readUInt32BE() % spreadMs;
  return (Math.floor(now / dayMs) + 1) * dayMs + spread;
}

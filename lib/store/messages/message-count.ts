// How many messages an address and a workspace have had on a day in UTC. Before a message is sent, one conditional
// update takes a place. So any number of workers together keep the limit. A repeat after a lost reply can take a second
// place: then the limit is reached earlier, never later.
import { entity } from "../../dynamodb/entity.ts";
import { tryUpdate } from "../../dynamodb/try-update.ts";
import { atMost } from "../../dynamodb/write.ts";
import { keptDays } from "../../retention.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";

interface MessageCount {
  count: number;
  ttl: number;
}

interface Day {
  /** For example `2026-11-24`. For test mails: the hour, for example `2026-11-24T10:00:00.000Z`. */
  day: string;
}

const attributes = ["count", "ttl"] as const;
const sk = ({ day }: Day) => day;

/** The count of an address, for all workspaces. `addressHash`: see `messages/address-hash.ts`. */
export const addressCountEntity = entity<MessageCount>()({
  name: "address-count",
  attributes,
  pk: ({ addressHash }: { addressHash: string }) => `ADDRESS#${addressHash}`,
  sk,
});

/** Of one workspace to one address. */
export const addressShareEntity = entity<MessageCount>()({
  name: "address-share",
  attributes,
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#MC`,
  sk: ({ day, addressHash }: Day & { addressHash: string }) => `${day}#${addressHash}`,
});

export const workspaceCountEntity = entity<MessageCount>()({
  name: "message-count",
  attributes,
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#MC`,
  sk,
});

export type Counted = ({ addressHash: string } | (WorkspaceRef & { addressHash?: string })) & Day;

const keptSeconds = keptDays.messageCount * 24 * 3_600;

/** Takes a place of the day. Returns false when all `max` are taken. */
export async function take(counted: Counted, max: number): Promise<boolean> {
  const set = { ttl: Math.floor(Date.parse(counted.day) / 1_000) + keptSeconds };
  const update = updateOf(counted, set);
  return (
    (await tryUpdate({ ...update, add: { count: 1 }, if: { count: atMost(max - 1) } }, { isRepeatable: true })) !==
    undefined
  );
}

/** Gives an unused place back. */
export async function giveBack(counted: Counted): Promise<void> {
  await tryUpdate({ ...updateOf(counted, {}), add: { count: -1 }, if: "present" });
}

function updateOf(counted: Counted, set: { ttl?: number }) {
  const { addressHash, day } = counted;
  if (!("workspace" in counted)) return addressCountEntity.update(counted, { set });
  const { workspace } = counted;
  if (addressHash === undefined) return workspaceCountEntity.update({ workspace, day }, { set });
  return addressShareEntity.update({ workspace, day, addressHash }, { set });
}

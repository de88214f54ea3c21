// Calls with an idempotency key: the process that runs the call, and the reply. After the claim, the claim is the
// condition of every write to the call's item. So a process whose claim was taken over changes nothing.
import { randomUUID } from "node:crypto";
import { inParallel } from "../concurrency.ts";
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { anyValue } from "../dynamodb/write.ts";
import { writeAlone } from "../dynamodb/write-alone.ts";
import { writeAll } from "../dynamodb/write-each.ts";
import { hasEnded, ttlAfter } from "../retention.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";

/** An item has at most 400 KB. */
const partCharactersMax = 350_000;
const partsInFlight = 4;

/** One call in one workspace. */
export interface IdempotentCallRef extends WorkspaceRef {
  /** SHA-256 of the endpoint's name and the key that the caller gave. */
  callHash: string;
}

export interface Claim extends IdempotentCallRef {
  claimId: string;
  /** The id of the first claim. A later claim keeps it, so that a repeated call makes the same ids. */
  seed: string;
  ttl: number;
}

interface StoredCall {
  bodyHash: string;
  claimId: string;
  seed: string;
  /** The end of the claim's lease, ms since the epoch. Until then, its process may be running. */
  leaseUntil: number;
  ttl: number;
  /** The sealed reply, or its first part; absent until the call has ended. */
  reply?: string;
  /** The number of further parts. */
  parts?: number;
}

export const idempotentCallEntity = entity<StoredCall>()({
  name: "idempotent-call",
  attributes: ["bodyHash", "claimId", "seed", "leaseUntil", "ttl", "reply", "parts"],
  pk: (ref: WorkspaceRef, shard) => `${workspacePartition(ref)}#I#${shard}`,
  sk: ({ callHash }: Pick<IdempotentCallRef, "callHash">) => callHash,
  shardBy: ({ callHash }) => callHash,
});

/** A further part of a reply that is too large for one item. */
export const replyPartEntity = entity<{ part: string; ttl: number }>()({
  name: "idempotent-call-part",
  attributes: ["part", "ttl"],
  pk: (ref: WorkspaceRef, shard) => idempotentCallEntity.partition(ref, shard),
  sk: ({ callHash, claimId, index }: Pick<Claim, "callHash" | "claimId"> & { index: number }) =>
    `${callHash}#${claimId}#${index}`,
  shardBy: ({ callHash }) => callHash,
});

/**
 * Steps of a call that are done, with the outcome of each, as the JSON of an object: a client can choose their names. They
 * are written in the transaction of the steps.
 */
export const callStepsEntity = entity<{ done: string; ttl: number }>()({
  name: "idempotent-call-steps",
  attributes: ["done", "ttl"],
  pk: (ref: WorkspaceRef, shard) => idempotentCallEntity.partition(ref, shard),
  sk: ({ callHash, id }: Pick<Claim, "callHash"> & { id: string }) => `${callHash}#STEPS#${segment(id)}`,
  shardBy: ({ callHash }) => callHash,
});

export type ClaimResult = { claim: Claim } | { reply: string } | "other body" | "running";

/** Claims the call for `leaseMs`, unless it has a reply, is running, or has another body. `claimId`: a new id. */
export async function claim(
  ref: IdempotentCallRef,
  bodyHash: string,
  leaseMs: number,
  claimId: string,
): Promise<ClaimResult> {
  const fresh = { claimId, seed: claimId, ttl: ttlAfter("idempotentReply") };
  const item = { ...fresh, bodyHash, leaseUntil: Date.now() + leaseMs };
  const isOwn = (after: StoredCall) => after.claimId === claimId;
  if (await writeAlone(idempotentCallEntity.put(ref, item, "absent"), isOwn)) return { claim: { ...ref, ...fresh } };
  const stored = await Table.get<StoredCall>(idempotentCallEntity.key(ref));
  const isLive = stored !== undefined && !hasEnded(stored);
  if (isLive && stored.bodyHash !== bodyHash) return "other body";
  if (isLive && stored.reply !== undefined) return { reply: await wholeReply(ref, stored) };
  if (isLive && stored.leaseUntil > Date.now()) return "running";
  // The stored call has expired, or its process died. The condition fails when another process has claimed it or
  // stored a reply meanwhile.
  const unchanged = stored && { claimId: stored.claimId, reply: stored.reply === undefined ? undefined : anyValue };
  const { seed } = isLive ? stored : fresh;
  const isClaimed = await writeAlone(idempotentCallEntity.put(ref, { ...item, seed }, unchanged ?? "absent"), isOwn);
  return isClaimed ? { claim: { ...ref, ...fresh, seed } } : "running";
}

/** Stores the sealed reply. Returns false when another process has claimed the call. */
export async function storeReply(claim: Claim, sealed: string): Promise<boolean> {
  const { claimId, ttl } = claim;
  const [reply, ...rest] = partsOf(sealed);
  // The keys of the parts contain the claim, and the parts are written before the item that counts them. So a reader
  // never sees parts of two replies.
  await inParallel([...rest.entries()], partsInFlight, ([index, part]) =>
    writeAll([replyPartEntity.put({ ...claim, index }, { part, ttl })]),
  );
  const set = { ...(reply !== undefined && { reply }), ...(rest.length > 0 && { parts: rest.length }) };
  const isOwn = (after: StoredCall) => after.claimId === claimId && after.reply !== undefined;
  return writeAlone(idempotentCallEntity.update(claim, { set }, { claimId }), isOwn);
}

/** Releases the claim, so that the call can be repeated immediately. */
export async function release(claim: Claim): Promise<void> {
  const { claimId } = claim;
  const write = idempotentCallEntity.update(claim, { set: { leaseUntil: 0 } }, { claimId });
  await writeAlone<StoredCall>(write, (after) => after.claimId === claimId && after.leaseUntil === 0);
}

/** The write that notes steps of the call. `seed`: of its claim. */
export const noting = (ref: IdempotentCallRef, seed: string, done: Record<string, string>) =>
  callStepsEntity.put(
    { ...ref, id: `${seed}-${randomUUID()}` },
    { done: JSON.stringify(done), ttl: ttlAfter("idempotentReply") },
  );

/** The outcomes of all steps of the call, by name. */
export async function noted(ref: IdempotentCallRef, seed: string): Promise<Map<string, string>> {
  const { pk, sk } = callStepsEntity.key({ ...ref, id: `${seed}-` });
  const notes = await Table.every<{ done: string }>({ pk, beginsWith: sk });
  return new Map(notes.flatMap(({ done }) => Object.entries<string>(JSON.parse(done))));
}

async function wholeReply(ref: IdempotentCallRef, { reply = "", claimId, parts = 0 }: StoredCall): Promise<string> {
  const wanted = Array.from({ length: parts }, (_, index) => replyPartEntity.key({ ...ref, claimId, index }));
  const rest = await Table.getMany<{ part: string }>(wanted);
  return [reply, ...rest.map((each) => each?.part ?? "")].join("");
}

function partsOf(text: string): string[] {
  const count = Math.ceil(text.length / partCharactersMax);
  return Array.from({ length: count }, (_, part) => text.slice(part * partCharactersMax).slice(0, partCharactersMax));
}

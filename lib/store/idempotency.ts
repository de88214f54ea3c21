// Calls that their callers may send again: who runs one, and what it was answered. Every write after the claim names the
// claim, so that a process that wakes after its lease changes nothing.
import { randomUUID } from "node:crypto";
import { inParallel } from "../concurrency.ts";
import * as Table from "../dynamodb/table.ts";
import { anyValue } from "../dynamodb/write.ts";
import { commit } from "../jobs/commit.ts";
import { ttlAfter } from "../retention.ts";
import { keys } from "./keys.ts";

/** An item can have 400 KB. */
const partCharactersMax = 350_000;
const partsInFlight = 4;

/** Names one call, in one workspace. */
export interface CallName {
  workspace: string;
  /** Of the endpoint and the caller's key. */
  hash: string;
}

export interface Claim extends CallName {
  claimId: string;
  /** Of the first claim; who takes the call over goes on with it. */
  seed: string;
  ttl: number;
}

interface StoredCall {
  bodyHash: string;
  claimId: string;
  seed: string;
  /** Until when its process may be running; ms since the epoch. */
  leaseUntil: number;
  ttl: number;
  /** The sealed reply, or its first part; absent until there is one. */
  reply?: string;
  /** Further parts. */
  parts?: number;
}

export type Outcome = { claim: Claim } | { reply: string } | "other body" | "running";

/** Takes the call for `leaseMs`, unless it has been answered, is running, or was another. */
export async function claim(name: CallName, bodyHash: string, leaseMs: number): Promise<Outcome> {
  const key = keys.idempotency(name.workspace, name.hash);
  const claimId = randomUUID();
  const fresh = { claimId, seed: claimId, ttl: ttlAfter("idempotentReply") };
  const item = { ...key, ...fresh, bodyHash, leaseUntil: Date.now() + leaseMs };
  if (await commit([{ put: item, if: "absent" }])) return { claim: { ...name, ...fresh } };
  const stored = await Table.get<StoredCall>(key);
  const isLive = stored !== undefined && stored.ttl * 1_000 > Date.now();
  if (isLive && stored.bodyHash !== bodyHash) return "other body";
  if (isLive && stored.reply !== undefined) return { reply: await whole(name, stored) };
  if (isLive && stored.leaseUntil > Date.now()) return "running";
  // Expired, or its process has died. Whoever else takes it now changes the claim or brings the reply.
  const unchanged = stored && { claimId: stored.claimId, reply: stored.reply === undefined ? undefined : anyValue };
  const { seed } = isLive ? stored : fresh;
  const isTaken = await commit([{ put: { ...item, seed }, if: unchanged ?? "absent" }]);
  return isTaken ? { claim: { ...name, ...fresh, seed } } : "running";
}

/** Stores the sealed reply. False: another process has taken the call. */
export async function answer({ workspace, hash, claimId, ttl }: Claim, sealed: string): Promise<boolean> {
  const [reply, ...rest] = partsOf(sealed);
  // Under the claim's own keys, and before the item that counts them: a reader never sees parts of two replies.
  await inParallel([...rest.entries()], partsInFlight, ([index, part]) =>
    commit([{ put: { ...keys.idempotencyPart(workspace, hash, claimId, index), part, ttl } }]),
  );
  const set = { reply, ...(rest.length > 0 && { parts: rest.length }) };
  return commit([{ update: keys.idempotency(workspace, hash), set, if: { claimId } }]);
}

/** Gives the claim up, so that the call can be sent again at once. */
export async function release({ workspace, hash, claimId }: Claim): Promise<void> {
  await commit([{ update: keys.idempotency(workspace, hash), set: { leaseUntil: 0 }, if: { claimId } }]);
}

async function whole({ workspace, hash }: CallName, { reply = "", claimId, parts = 0 }: StoredCall): Promise<string> {
  const wanted = Array.from({ length: parts }, (_, part) => keys.idempotencyPart(workspace, hash, claimId, part));
  const rest = await Table.getMany<{ part: string }>(wanted);
  return [reply, ...rest.map((each) => each?.part ?? "")].join("");
}

function partsOf(text: string): string[] {
  const count = Math.ceil(text.length / partCharactersMax);
  return Array.from({ length: count }, (_, part) => text.slice(part * partCharactersMax).slice(0, partCharactersMax));
}

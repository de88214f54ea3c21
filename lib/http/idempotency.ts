// Makes a write repeatable under an Idempotency-Key (DECISIONS.md#idempotency-keys). The first final reply to a key is
// sealed, stored for 24 hours and returned to every later call with that key. A refusal before the endpoint runs is not
// stored: the caller can correct the call and repeat it. When a process dies, the next call takes over the claim and
// does the work again: every operation is idempotent.
import { hash } from "node:crypto";
import { ApiError, type ErrorStatus, retryAfter } from "../errors.ts";
import { purposes, sealWithSharedKey, unseal } from "../secrets.ts";
import * as IdempotentCall from "../store/idempotency.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { HttpReply } from "./envelope.ts";

export const idempotencyKeyHeader = "idempotency-key";
export const idempotencyKeyPattern = "^[!-~]{1,255}$";

/** The lease ends this long after the call's deadline, so another call takes over only when this one has ended. */
const leaseReserveMs = 2_000;
const purpose = purposes.idempotentReply;

/**
 * The effect of an endpoint's failure on its key. `store`: the outcome is final, so it is replayed. `release`: the same
 * call can succeed later, so it runs again.
 */
export const effectOnKey = {
  INVALID_ARGUMENT: "store",
  FAILED_PRECONDITION: "store",
  PERMISSION_DENIED: "store",
  NOT_FOUND: "store",
  ALREADY_EXISTS: "store",
  ABORTED: "release",
  RESOURCE_EXHAUSTED: "release",
  /** Expected if the contract states the outcome, such as domains of which some existed. Any other cause is unknown. */
  INTERNAL: "store if expected",
  UNAVAILABLE: "release",
  DEADLINE_EXCEEDED: "release",
} as const satisfies Record<ErrorStatus, "store" | "release" | "store if expected">;

function isFinal({ status, isExpected }: ApiError): boolean {
  const effect = effectOnKey[status];
  return effect === "store" || (effect === "store if expected" && isExpected);
}

/** Stores the endpoint's reply, or releases the key; `failure` is undefined after a success. */
export type StoreReply = (reply: HttpReply, failure: ApiError | undefined) => Promise<void>;

/**
 * `replay`: the stored reply of an earlier call. Otherwise the key is claimed. `storeReply`: to call after the endpoint
 * has run. `seed`: new ids derive from it, and it is the same at every attempt of the call.
 */
export type KeyClaim =
  | { replay: HttpReply; storeReply?: undefined; seed?: undefined }
  | { replay?: undefined; storeReply: StoreReply; seed: string };

/** The key in the headers; undefined: there is none. INVALID_ARGUMENT for a text that is no key. */
export function keyOf(headers: Record<string, string | undefined>): string | undefined {
  const key = headers[idempotencyKeyHeader];
  if (key === undefined || new RegExp(idempotencyKeyPattern).test(key)) return key;
  throw new ApiError("INVALID_ARGUMENT", "The header Idempotency-Key must have 1 to 255 visible ASCII characters.");
}

/** The call of an endpoint under a key. */
export const callOf = (
  endpoint: { name: string },
  workspace: string,
  key: string,
): IdempotentCall.IdempotentCallRef => ({
  workspace,
  callHash: hash("sha256", `${endpoint.name} ${key}`, "hex"),
});

/**
 * Claims the key of the call. `claimId` is new; the first claim keeps it as its seed. ABORTED when the key was used for
 * another request, or its first call still runs.
 */
export async function claimKey(
  ref: IdempotentCall.IdempotentCallRef,
  timeoutSeconds: number,
  data: unknown,
  claimId: string,
): Promise<KeyClaim> {
  const { workspace } = ref;
  const bodyHash = hash("sha256", JSON.stringify(data, sorted), "hex");
  const leaseMs = timeoutSeconds * 1_000 + leaseReserveMs;
  const claimed = await IdempotentCall.claim(ref, bodyHash, leaseMs, claimId);
  if (claimed === "other body") throw aborted("was used for another request.");
  if (claimed === "running") {
    throw aborted("belongs to a call that is still in progress. Try again in a moment.", retryAfter(1));
  }
  if ("reply" in claimed) return { replay: await opened({ workspace }, claimed.reply) };
  const { claim } = claimed;
  return {
    seed: claim.seed,
    storeReply: async (reply, failure) => {
      if (failure && !isFinal(failure)) await IdempotentCall.release(claim);
      else await IdempotentCall.storeReply(claim, await sealWithSharedKey(packed(reply), { workspace, purpose }));
    },
  };
}

function aborted(what: string, http = {}): ApiError {
  return new ApiError("ABORTED", `The Idempotency-Key ${what}`, { http });
}

/** A JSON replacer that sorts fields, so the order of fields does not change the hash. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

// Replies of bulk calls compress well, and the write units depend on the size. Loaded on use: few calls have a key.
const zlib = () => process.getBuiltinModule("node:zlib");

const packed = (reply: HttpReply) => zlib().gzipSync(JSON.stringify(reply)).toString("base64");

async function opened({ workspace }: WorkspaceRef, sealed: string): Promise<HttpReply> {
  const content = Buffer.from((await unseal(sealed, { workspace, purpose })).reveal(), "base64");
  const { headers, ...reply } = JSON.parse(zlib().gunzipSync(content).toString("utf8")) as HttpReply;
  return { ...reply, headers: { ...headers, "idempotent-replayed": "true" } };
}

// Writes that can be repeated under an Idempotency-Key (DECISIONS.md#idempotency-keys). The first reply to a key is
// stored for 24 hours, sealed, and returned to every later call with that key. A call that is refused before the
// endpoint runs changes nothing, and its refusal is not stored: the caller can correct and repeat it. When a process
// dies, the next call takes over its claim and runs again: every operation is idempotent.
import { hash } from "node:crypto";
import { ApiError, type ErrorStatus } from "../errors.ts";
import { purposes, seal, unseal } from "../secrets.ts";
import * as IdempotentCall from "../store/idempotency.ts";
import type { HttpReply } from "./envelope.ts";

export const idempotencyKeyHeader = "idempotency-key";
export const idempotencyKeyPattern = "^[!-~]{1,255}$";

/** After the call's own deadline: another call takes over the claim only when this one no longer runs. */
const leaseReserveMs = 2_000;
const purpose = purposes.idempotentReply;

/** Temporary failures: they release the key, since a retry can succeed. */
const temporary: readonly ErrorStatus[] = ["INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED"];

/** Stores the endpoint's reply, or releases the key; `failure` is undefined after a success. */
export type StoreReply = (reply: HttpReply, failure: ErrorStatus | undefined) => Promise<void>;

export interface KeyClaim {
  /** The stored reply of an earlier call: the endpoint must not run again. */
  replay?: HttpReply;
  /** To be called once the endpoint has run. */
  storeReply?: StoreReply;
  /** The same at every attempt of the call. */
  seed?: string;
}

/**
 * Claims the key of the headers, if there is one. ABORTED: the key was used for another request, or its first call
 * still runs.
 */
export async function claimKey(
  endpoint: { name: string; timeoutSeconds: number },
  workspace: string,
  headers: Record<string, string | undefined>,
  data: unknown,
): Promise<KeyClaim> {
  const key = headers[idempotencyKeyHeader];
  if (key === undefined) return {};
  if (!new RegExp(idempotencyKeyPattern).test(key)) throw badKey();
  const ref = { workspace, callHash: hash("sha256", `${endpoint.name} ${key}`, "hex") };
  const bodyHash = hash("sha256", JSON.stringify(data, sorted), "hex");
  const claimed = await IdempotentCall.claim(ref, bodyHash, endpoint.timeoutSeconds * 1_000 + leaseReserveMs);
  if (claimed === "other body") throw aborted("was used for another request.");
  if (claimed === "running") throw aborted("belongs to a call that is still in progress. Try again in a moment.");
  if ("reply" in claimed) return { replay: await opened(claimed.reply, workspace) };
  const { claim } = claimed;
  return {
    seed: claim.seed,
    storeReply: async (reply, failure) => {
      if (failure && temporary.includes(failure)) await IdempotentCall.release(claim);
      else await IdempotentCall.storeReply(claim, await seal(packed(reply), { workspace, purpose }));
    },
  };
}

function badKey(): ApiError {
  return new ApiError("INVALID_ARGUMENT", "The header Idempotency-Key must have 1 to 255 visible ASCII characters.");
}

function aborted(what: string): ApiError {
  return new ApiError("ABORTED", `The Idempotency-Key ${what}`);
}

/** A replacer that sorts fields, so that their order does not make another body. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

// Replies of bulk calls are repetitive, and write units follow the size. Loaded on use, since few calls have a key.
const zlib = () => process.getBuiltinModule("node:zlib");

const packed = (reply: HttpReply) => zlib().gzipSync(JSON.stringify(reply)).toString("base64");

async function opened(sealed: string, workspace: string): Promise<HttpReply> {
  const content = Buffer.from(await unseal(sealed, { workspace, purpose }), "base64");
  const { headers, ...reply } = JSON.parse(zlib().gunzipSync(content).toString("utf8")) as HttpReply;
  return { ...reply, headers: { ...headers, "idempotent-replayed": "true" } };
}

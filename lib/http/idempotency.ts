// Writes that can be sent again (decision S1). The first reply to a key is stored for 24 hours, sealed, and given to
// every later call with that key. What was refused before the endpoint ran changed nothing and is not stored: it can be
// corrected and sent again. A process that dies leaves its claim to the next call, which runs anew: every operation is
// safe to repeat, and its reply then tells what it found.
import { hash } from "node:crypto";
import { ApiError, type ErrorStatus } from "../errors.ts";
import { seal, unseal } from "../secrets.ts";
import * as Call from "../store/idempotency.ts";
import type { Answer } from "./envelope.ts";

export const idempotencyKeyHeader = "idempotency-key";
export const idempotencyKeyPattern = "^[!-~]{1,255}$";

/** Beyond the call's own deadline: who takes a call over must find nobody still running it. */
const leaseReserveMs = 2_000;
const purpose = "idempotency";

/** Failures that say nothing of the next try: they give the key free instead of being stored. */
const passing: readonly ErrorStatus[] = ["INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED"];

/** Stores what the endpoint was answered, or gives the key free; `failure` is undefined after a success. */
export type Settle = (answer: Answer, failure: ErrorStatus | undefined) => Promise<void>;

/**
 * Takes the key that the headers give, if any: then `settle` is owed once the endpoint has run. `replay`: it has run
 * before, and must not again. `seed` is the same at every try of the call. ABORTED: the key is another request's, or the first call still runs.
 */
export async function beginOnce(
  endpoint: { name: string; timeoutSeconds: number },
  workspace: string,
  headers: Record<string, string | undefined>,
  data: unknown,
): Promise<{ replay?: Answer; settle?: Settle; seed?: string }> {
  const key = headers[idempotencyKeyHeader];
  if (key === undefined) return {};
  if (!new RegExp(idempotencyKeyPattern).test(key)) throw badKey();
  const name = { workspace, hash: hash("sha256", `${endpoint.name} ${key}`, "hex") };
  const bodyHash = hash("sha256", JSON.stringify(data, sorted), "hex");
  const outcome = await Call.claim(name, bodyHash, endpoint.timeoutSeconds * 1_000 + leaseReserveMs);
  if (outcome === "other body") throw aborted("was used for another request.");
  if (outcome === "running") throw aborted("belongs to a call that is still in progress. Try again in a moment.");
  if ("reply" in outcome) return { replay: await opened(outcome.reply, workspace) };
  const { claim } = outcome;
  return {
    seed: claim.seed,
    settle: async (answer, failure) => {
      if (failure && passing.includes(failure)) await Call.release(claim);
      else await Call.answer(claim, await seal(packed(answer), { workspace, purpose }));
    },
  };
}

function badKey(): ApiError {
  return new ApiError("INVALID_ARGUMENT", "The header Idempotency-Key must have 1 to 255 visible ASCII characters.");
}

function aborted(what: string): ApiError {
  return new ApiError("ABORTED", `The Idempotency-Key ${what}`);
}

/** A replacer: the same fields are the same body in whatever order they come. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

// Replies of bulk calls repeat themselves: a tenth of the bytes is a tenth of the write units. Loaded here, since few
// calls have a key.
const zlib = () => process.getBuiltinModule("node:zlib");

const packed = (answer: Answer) => zlib().gzipSync(JSON.stringify(answer)).toString("base64");

async function opened(reply: string, workspace: string): Promise<Answer> {
  const content = Buffer.from(await unseal(reply, { workspace, purpose }), "base64");
  const { headers, ...answer } = JSON.parse(zlib().gunzipSync(content).toString("utf8")) as Answer;
  return { ...answer, headers: { ...headers, "idempotent-replayed": "true" } };
}

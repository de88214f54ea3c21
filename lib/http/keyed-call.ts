// Runs a call with an Idempotency-Key (DECISIONS.md#idempotency-keys). The endpoint reads while its key is claimed, so
// the claim costs no time of its own. The endpoint's first write waits for the claim.
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { type Call, type CallSteps, inCall } from "../call.ts";
import * as IdempotentCall from "../store/idempotency.ts";
import type { Caller, Endpoint } from "./endpoint.ts";
import type { HttpReply } from "./envelope.ts";
import { callOf, claimKey, type KeyClaim, keyOf } from "./idempotency.ts";
import type { EndpointCall } from "./log-call.ts";

type Run = () => Promise<HttpReply>;

/**
 * Runs the endpoint, if the call has no key or is the first with its key. Otherwise returns the stored reply. Throws
 * ABORTED when the key was used for another request, or its first call still runs.
 */
export async function withKey(
  answering: EndpointCall,
  { workspace, authTokenId, user }: Pick<Caller, "workspace" | "authTokenId" | "user">,
  headers: Record<string, string | undefined>,
  data: unknown,
  run: Run,
): Promise<HttpReply> {
  const given = keyOf(headers);
  if (given === undefined) return run();
  const { declared, call } = answering;
  const owner = user ? JSON.stringify(user.userId) : declared.isKeyedByToken && authTokenId;
  // A key has no space. So the keys of one owner are never those of another.
  const key = owner ? `${owner} ${given}` : given;
  const claimId = randomUUID();
  const ref = callOf(declared, workspace, key);
  const first = { ids: { seed: claimId, made: 0 }, steps: stepsOf(ref, claimId, true) };
  const claiming = claimKey(ref, declared.timeoutSeconds, data, claimId);
  const early = writesOnlyToTable(declared) ? startEarly({ ...call, ...first }, claimId, claiming, run) : undefined;
  try {
    const { replay, storeReply, seed } = await claiming;
    if (replay) {
      answering.isReplay = true;
      return { ...replay, headers: { ...replay.headers, "x-request-id": call.requestId } };
    }
    answering.storeReply = storeReply;
    if (early && seed === claimId) return await early.reply;
    call.ids = { seed, made: 0 };
    call.steps = stepsOf(ref, seed, seed === claimId);
  } finally {
    early?.end();
  }
  return run();
}

const stepsOf = (ref: IdempotentCall.IdempotentCallRef, seed: string, isFirst: boolean): CallSteps => ({
  noting: (done) => IdempotentCall.noting(ref, seed, done),
  noted: async () => (isFirst ? new Map() : IdempotentCall.noted(ref, seed)),
});

/** The other work of an endpoint, outside the table, does not wait for the claim. */
const writesOnlyToTable = ({ callsOut, grants }: Endpoint) => !callsOut && !grants.includes("file:write");

/** Starts the endpoint before the claim is made. It writes nothing, unless the claim is made with this id as its seed. */
function startEarly(call: Call, claimId: string, claiming: Promise<KeyClaim>, run: Run) {
  const ended = new AbortController();
  const signal = AbortSignal.any([call.signal, ended.signal]);
  setMaxListeners(0, signal);
  const mayWrite = claiming.then(({ seed }) => {
    if (seed !== claimId) throw new Error("Another call has claimed the key.");
  });
  const reply = inCall({ ...call, signal, mayWrite }, run);
  // The claim decides whether anybody waits for them.
  mayWrite.catch(() => {});
  reply.catch(() => {});
  return { reply, end: () => ended.abort() };
}

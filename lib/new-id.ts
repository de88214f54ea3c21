// Ids that the service generates. In a call with an Idempotency-Key, they derive from a seed that the first attempt
// stores, so a repeated attempt creates the same items and no others (DECISIONS.md#idempotency-keys). They are not for
// internal ids: a call that is repeated after a deletion would give the next life an id that a job still purges.
import { hash, randomUUID } from "node:crypto";
import { currentCall } from "./call.ts";

/** A UUID. A handler must request its ids in the same order at every attempt. */
export function newId(): string {
  const ids = currentCall()?.ids;
  if (!ids) return randomUUID();
  const digits = hash("sha256", `${ids.seed} ${ids.made++}`, "hex");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

// Ids that the service gives. Under an Idempotency-Key they follow from what the call's first try stored: whatever tries
// died on the way, what a call makes is made once.
import { hash, randomUUID } from "node:crypto";
import { currentCall } from "./call.ts";

/** A UUID. A handler must ask for its ids in the same order at every try. */
export function newId(): string {
  const ids = currentCall()?.ids;
  if (!ids) return randomUUID();
  const digits = hash("sha256", `${ids.seed} ${ids.made++}`, "hex");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

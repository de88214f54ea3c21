import { randomUUID } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import * as Idempotency from "../../../lib/store/idempotency.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";

afterEach(() => void vi.restoreAllMocks());

it("Idempotency.claim keeps a reply that is stored after the lease, just before the next claim", async () => {
  const ref = { workspace: randomUUID(), callHash: "call" };
  const first = await Idempotency.claim(ref, "body", -1, randomUUID());
  if (typeof first === "string" || !("claim" in first)) throw new Error("The first call has no claim.");
  let isStored = false;
  interceptStore(async (command) => {
    // The first write fails, because the call has a claim. The second write names that claim, to replace it.
    if (isStored || !JSON.stringify(command.input).includes(first.claim.claimId)) return;
    isStored = true;
    expect(await Idempotency.storeReply(first.claim, "reply")).toBe(true);
  });
  expect(await Idempotency.claim(ref, "body", 60_000, randomUUID())).toBe("running");
  vi.restoreAllMocks();
  expect(await Idempotency.claim(ref, "body", 60_000, randomUUID())).toEqual({ reply: "reply" });
});

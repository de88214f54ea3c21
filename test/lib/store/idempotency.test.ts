import { randomUUID } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import * as Idempotency from "../../../lib/store/idempotency.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";

afterEach(() => void vi.restoreAllMocks());

it("keeps the reply that a process stores after its lease has ended, just before another process claims the call", async () => {
  const ref = { workspace: randomUUID(), callHash: "call" };
  const first = await Idempotency.claim(ref, "body", -1);
  if (typeof first === "string" || !("claim" in first)) throw new Error("The first call gets the claim.");
  let writes = 0;
  interceptStore(async (command) => {
    // The condition of the first write fails, since the call is claimed. The second one replaces the claim.
    if (command.constructor.name !== "TransactWriteCommand" || ++writes !== 2) return;
    expect(await Idempotency.storeReply(first.claim, "reply")).toBe(true);
  });
  expect(await Idempotency.claim(ref, "body", 60_000)).toBe("running");
  vi.restoreAllMocks();
  expect(await Idempotency.claim(ref, "body", 60_000)).toEqual({ reply: "reply" });
});

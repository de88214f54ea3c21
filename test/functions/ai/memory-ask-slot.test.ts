import { expect, it } from "vitest";
import { memoryAsk } from "../../../functions/ai/memory-ask.ts";
import { aimodelconfigUpdate } from "../../../functions/workspace/aimodelconfig-update.ts";
import { hold, slotCounts } from "../../../lib/store/waiting-slot.ts";
import { call, must, newWorkspace } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { judgment, remember } from "../../support/memory.ts";

it("RESOURCE_EXHAUSTED: a call without a slot, which has not searched", async () => {
  const as = await newWorkspace();
  await must(aimodelconfigUpdate, { as, data: { providers: { openai: { apiKey: "sk-1" } } } });
  await remember(as, judgment("The discount was never approved by legal."));
  const calls = Array.from({ length: slotCounts.model }, (_, index) =>
    hold({ workspace: as.apiKey }, "model", `call ${index}`, 60_000),
  );
  expect(await Promise.all(calls)).not.toContain(undefined);
  const { error } = await call(memoryAsk, { as, data: { question: "Why was the discount not approved?" } });
  expect(error?.status).toBe("RESOURCE_EXHAUSTED");
  // One for the credentials and the settings, one for the slots.
  expect(logs().findLast(({ message }) => message === "call")).toMatchObject({ roundTrips: 2, writeUnits: 0 });
});

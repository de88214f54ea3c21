// Random calls, one after the other, compared with a model in memory: each reply, and all reads after every few calls.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { skipBackoff } from "../../support/aws/mock-dynamo.ts";
import { casesOf } from "../../support/long.ts";
import fc from "../../support/property.ts";
import { later, newService } from "../../support/service-in-memory.ts";
import { expectNoOrphans, expectNothingLeft } from "./leftovers.ts";
import { read, readModel } from "./readings.ts";
import { drain, newState } from "./state.ts";
import { expected, type Step, send, start, step } from "./steps.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());
skipBackoff();

const sequence = fc.array(fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 6 }), drains: fc.nat(4) }), {
  minLength: 3,
  maxLength: 12,
});

it("each call returns and changes what the model says", async () => {
  await fc.assert(
    fc.asyncProperty(sequence, async (parts) => {
      const [service, state] = [await newService(() => 0), newState()];
      const take = async (step: Step) => {
        later(1);
        expect(await send(service, step), JSON.stringify(step)).toEqual(expected(state, step));
      };
      for (const each of start) await take(each);
      for (const { steps, drains } of parts) {
        for (const each of steps) await take(each);
        if (drains === 0) {
          await service.drain();
          drain(state);
          await expectNoOrphans(service, state);
        }
        expect(await read(service.call)).toEqual(readModel(state));
      }
      await expectNothingLeft(service);
    }),
    casesOf(25),
  );
});

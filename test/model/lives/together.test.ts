// Random calls of which some run at once, compared with a model in memory. Whatever the calls at once do to each other,
// their replies and all that can be read afterwards must be as after these calls in some order.
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { skipBackoff } from "../../support/aws/mock-dynamo.ts";
import { casesOf } from "../../support/long.ts";
import fc from "../../support/property.ts";
import { later, newService } from "../../support/service-in-memory.ts";
import { expectNoOrphans, expectNothingLeft } from "./leftovers.ts";
import { orders } from "./orders.ts";
import { read, readModel } from "./readings.ts";
import { drain, newState } from "./state.ts";
import { expected, send, start, step } from "./steps.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());
skipBackoff();

const rounds = fc.array(
  fc.record({
    before: fc.array(step, { maxLength: 5 }),
    atOnce: fc.array(step, { minLength: 2, maxLength: 4 }),
    isDrained: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);
/** How many turns of the event loop each AWS call waits; they are repeated. */
const turns = fc.array(fc.nat(6), { minLength: 1, maxLength: 40 });

it("calls at once end as in some order", async () => {
  await fc.assert(
    fc.asyncProperty(rounds, turns, async (all, waits) => {
      let calls = 0;
      let isAtOnce = false;
      const service = await newService(() => (isAtOnce ? (waits[calls++ % waits.length] as number) : 0));
      let states = [newState()];
      for (const each of start) {
        await send(service, each);
        expected(states[0] as never, each);
      }
      for (const { before, atOnce, isDrained } of all) {
        for (const each of before) {
          later(1);
          const result = await send(service, each);
          states = states.filter((state) => isDeepStrictEqual(expected(state, each), result));
          expect(states.length, `${JSON.stringify(each)} returned ${result}`).toBeGreaterThan(0);
        }
        later(1);
        isAtOnce = true;
        const results = await Promise.all(atOnce.map((each) => send(service, each)));
        isAtOnce = false;
        const possible = states.flatMap((state) => orders(state, atOnce, results));
        const about = JSON.stringify(atOnce.map((each, index) => [each, results[index]]));
        expect(possible.length, `No order gives these replies: ${about}`).toBeGreaterThan(0);
        states = await those(possible, about);
        if (!isDrained) continue;
        await service.drain();
        for (const state of states) drain(state);
        states = await those(states, about);
        await expectNoOrphans(service, states[0] as never);
      }
      await expectNothingLeft(service);

      /** The states that agree with what can be read. */
      async function those(possible: ReturnType<typeof newState>[], about: string) {
        const shown = await read(service.call);
        const found = possible.filter((state) => isDeepStrictEqual(readModel(state), shown));
        if (found.length === 0) expect(shown, about).toEqual(readModel(possible[0] as never));
        return found;
      }
    }),
    casesOf(15),
  );
});

// Random calls with Idempotency-Keys, of which some die at any of their AWS calls and are repeated, and jobs that die
// too. A call that was repeated until it succeeded took effect exactly once.
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { skipBackoff } from "../../support/aws/mock-dynamo.ts";
import { casesOf } from "../../support/long.ts";
import fc from "../../support/property.ts";
import { later, newService } from "../../support/service-in-memory.ts";
import { expectNoOrphans, expectNothingLeft } from "./leftovers.ts";
import { read, readModel } from "./readings.ts";
import { drained, newState, type State } from "./state.ts";
import { expected, type Step, send, start, step } from "./steps.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());
skipBackoff();

/** Longer than the lease of an Idempotency-Key. */
const leaseMs = 40_000;
const callsMax = fc.option(fc.nat(14), { nil: undefined });
const rounds = fc.array(
  fc.record({
    steps: fc.array(fc.record({ step, callsMax, between: fc.array(step, { maxLength: 2 }) }), { maxLength: 6 }),
    /** When the jobs die, if they run. */
    deaths: fc.option(fc.array(callsMax, { minLength: 1, maxLength: 8 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 6 },
);

it("what dies and is repeated takes effect once", async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const service = await newService(() => 0);
      let states = [newState()];
      let keys = 0;
      for (const each of start) {
        await send(service, each);
        expected(states[0] as State, each);
      }
      for (const { steps, deaths } of all) {
        for (const each of steps) await take(each.step, each.callsMax, each.between);
        if (deaths) {
          let runs = 0;
          await service.drain(() => deaths[runs++ % deaths.length]);
          states = states.flatMap(drained);
        }
        const shown = await read(service.call);
        const found = states.filter((state) => isDeepStrictEqual(readModel(state), shown));
        if (found.length === 0) expect(shown).toEqual(readModel(states[0] as State));
        states = found.filter((state, index) => index === found.findIndex((each) => isDeepStrictEqual(each, state)));
        if (deaths) await expectNoOrphans(service, states[0] as State);
      }
      await expectNothingLeft(service);

      /** The call dies; others follow; then it is repeated. */
      async function take(step: Step, callsMax: number | undefined, between: Step[]): Promise<void> {
        later(1);
        const key = `key-${keys++}`;
        const first = await send(service, step, { key, ...(callsMax !== undefined && { callsMax }) });
        const isOver = first !== "DIED";
        if (isOver) return follow(step, first);
        const before = states.map((state) => structuredClone(state));
        const early = states.map((state) => ({ state, result: expected(state, step) }));
        const others: [Step, unknown][] = [];
        for (const each of between) {
          later(1);
          others.push([each, await send(service, each)]);
        }
        later(leaseMs);
        const repeated = await send(service, step, { key });
        const about = JSON.stringify({ step, callsMax, between: others, repeated });
        const isSame = ([each, result]: [Step, unknown], state: State) =>
          isDeepStrictEqual(expected(state, each), result);
        // It took effect at first, before the others, or only when it was repeated.
        const atFirst = early.filter(({ state }) => others.every((each) => isSame(each, state)));
        const atLast = before.filter((state) => others.every((each) => isSame(each, state)));
        states = [
          ...atFirst.filter(({ result }) => isDeepStrictEqual(result, repeated)).map(({ state }) => state),
          ...atFirst.map(({ state }) => structuredClone(state)).filter((state) => isSame([step, repeated], state)),
          ...atLast.filter((state) => isSame([step, repeated], state)),
        ];
        expect(states.length, about).toBeGreaterThan(0);
      }

      function follow(step: Step, result: unknown): void {
        states = states.filter((state) => isDeepStrictEqual(expected(state, step), result));
        expect(states.length, `${JSON.stringify(step)} returned ${result}`).toBeGreaterThan(0);
      }
    }),
    casesOf(15),
  );
});

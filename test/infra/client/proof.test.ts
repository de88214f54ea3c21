// Pages of several users on the real service and the real engine, in simulated time, through every trouble, from seeds.
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { isLong, longSeed } from "../../support/long.ts";
import { check } from "../../support/proof/check.ts";
import { step } from "../../support/proof/steps.ts";
import { stopClocks } from "../../support/proof/time.ts";
import { World } from "../../support/proof/world.ts";

let world: World | undefined;
vi.mock("../../../lib/live/appsync.ts", () => ({
  eventsPerRequest: 5,
  publish: (channel: string, events: string[]) => world?.publish(channel, events),
}));

beforeEach(() => {
  stopClocks();
  // The locks and channels of tabs have no simulated time.
  vi.stubGlobal("navigator", undefined);
});
afterEach(() => {
  world?.end();
  vi.useRealTimers();
});

const [seeds, steps, rounds] = isLong ? [20, 1_000, 10] : [2, 100, 2];
const names = Array.from({ length: seeds }, (_, index) => `${longSeed ?? "proof"} ${index}`);

it.each(names)("seed %s: in the end, every page shows what the table has", async (seed) => {
  const [given] = seed.split(" ");
  const env = isLong ? `LONG_SEED=${given} ` : "";
  const project = isLong ? "long-exact" : "exact-alone";
  const repeat = `${env}npx vitest run --config test/vitest.config.ts --project ${project} proof.test.ts -t "seed ${seed}:"`;
  world = await World.create(seed);
  try {
    for (let round = 0; round < rounds; round++) {
      world.isHard = true;
      for (let count = 0; count < steps / rounds; count++) await step(world);
      await check(world);
    }
  } catch (thrown) {
    process.stdout.write(`To repeat it: ${repeat}\n`);
    writeFileSync(`/tmp/trace-${seed.replace(' ', '-')}`, world.trace.join('\n'));
    throw thrown;
  }
  process.stdout.write(`${seed}: ${world.access.cases} cases without access\n`);
});

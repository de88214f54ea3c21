// Pages of several users on the real service and the real engine, in simulated time, through every trouble, from seeds.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import type { Item } from "../../../infra/client/source/live/writes.ts";
import { isLong, longSeed } from "../../support/long.ts";
import { check, read } from "../../support/proof/check.ts";
import type { Page } from "../../support/proof/page.ts";
import { adds, expectThreads, scenes } from "../../support/proof/scenes.ts";
import { step } from "../../support/proof/steps.ts";
import { during, pass, stopClocks } from "../../support/proof/time.ts";
import { place } from "../../support/proof/user.ts";
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

const [seeds, steps, rounds] = isLong ? [20, 1_000, 10] : [1, 100, 2];
const names = Array.from({ length: seeds }, (_, index) => `${longSeed ?? "proof"} ${index}`);
const command = longSeed === undefined ? "npm test --" : `LONG_SEED=${longSeed} npm run test:long --`;
const shownOfTrace = 60;

it.each(names)("seed %s: in the end, every page shows what the table has", async (seed) => {
  world = await World.create(seed);
  try {
    for (let round = 0; round < rounds; round++) {
      world.isHard = true;
      for (let count = 0; count < steps / rounds; count++) await step(world);
      await check(world);
    }
    // In the long trial, the 20 seeds have 10,000 cases together.
    expect(world.access.cases).toBeGreaterThan(isLong ? 500 : 0);
  } catch (thrown) {
    const repeat = `To repeat it: ${command} test/infra/client/proof.test.ts -t "seed ${seed}:"`;
    process.stdout.write(`${[...world.trace.slice(-shownOfTrace), repeat].join("\n")}\n`);
    throw thrown;
  }
});

it.each(Object.entries(scenes))("%s", async (_, scene) => {
  world = await World.create("scene");
  world.isHard = false;
  await during(adds(world, "first"));
  // What pages read again after they have come must not hide anything.
  await pass(60_000);
  const threads = await scene(world);
  await check(world);
  expectThreads(world, threads);
});

it("a page that ends without a word is present for 180 s more, and one that stays is at each renewal", async () => {
  world = await World.create("presence");
  world.isHard = false;
  const [alice, bob] = world.pages as [Page, Page];
  const present = async () => (await read(alice.user, presenceGet, { documentId: place.documentId })).users;
  const idsOf = (users: readonly Item[] = []) => users.map(({ userId }) => userId).join();
  const seen: string[] = [];
  await pass(125_000);
  for (const each of world.pages.slice(1)) if (each !== bob) each.close();
  bob.kill();
  for (let ms = 0; ms < 1_800_000; ms += 10_000) {
    await pass(10_000);
    await world.renewTokens();
    const shown = idsOf(alice.document.getSnapshot().presence);
    seen.push(`${idsOf(await present())} ${shown}`);
  }
  expect(seen.indexOf("alice alice,bob")).toBe(17);
  expect(seen.indexOf("alice alice")).toBeLessThan(24);
  expect([...new Set(seen)]).toEqual(["alice,bob alice,bob", "alice alice,bob", "alice alice"]);
  expect(alice.document.getSnapshot().peers).toEqual([]);
});

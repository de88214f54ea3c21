import { randomUUID } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { type Held, hold, release, slotCounts, waitingSlotEntity } from "../../../lib/store/waiting-slot.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { itemsOf } from "../../support/scan.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const newRef = () => ({ workspace: randomUUID() });
const later = (milliseconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });

it("is free when its lease has ended", async () => {
  const ref = newRef();
  const first = await hold(ref, "extraction", "a", 60_000);
  const second = await hold(ref, "extraction", "b", 30_000);
  expect([first?.slot, second?.slot].sort()).toEqual([0, 1]);
  expect(await hold(ref, "extraction", "c", 60_000)).toBeUndefined();
  later(30_001);
  expect(await hold(ref, "extraction", "c", 60_000)).toEqual({ ...second, holder: "c" });
  expect(await hold(ref, "extraction", "b", 60_000)).toBeUndefined();
});

it("is prolonged by its holder", async () => {
  const ref = newRef();
  const first = await hold(ref, "extraction", "a", 30_000);
  expect(await hold(ref, "extraction", "a", 90_000)).toEqual(first);
  later(30_001);
  expect(await hold(ref, "extraction", "b", 60_000)).toBeDefined();
  expect(await hold(ref, "extraction", "c", 60_000)).toBeUndefined();
});

it("is taken from the others when writes of one slot are in conflict at every attempt", async () => {
  const ref = newRef();
  vi.spyOn(Math, "random").mockReturnValue(0);
  let inConflict: string | undefined;
  interceptStore(({ constructor: { name }, input }) => {
    if (name !== "TransactWriteCommand") return;
    const { sk } = input.TransactItems[0].Update.Key;
    inConflict ??= sk;
    if (sk !== inConflict) return;
    const CancellationReasons = [{ Code: "TransactionConflict" }];
    throw Object.assign(new Error(), { name: "TransactionCanceledException", CancellationReasons });
  });
  const held = await hold(ref, "extraction", "a", 60_000);
  expect(held && `extraction#${1 - held.slot}`).toBe(inConflict);
  expect(await hold(ref, "extraction", "b", 60_000)).toBeUndefined();
});

it("is released by its holder, and not by one that has lost it", async () => {
  const ref = newRef();
  const first = (await hold(ref, "extraction", "a", 30_000)) as Held;
  await hold(ref, "extraction", "b", 90_000);
  later(30_001);
  expect(await hold(ref, "extraction", "c", 60_000)).toBeDefined();
  await release(first);
  expect(await hold(ref, "extraction", "d", 60_000)).toBeUndefined();
  await release({ ...first, holder: "c" });
  expect(await hold(ref, "extraction", "d", 60_000)).toEqual({ ...first, holder: "d" });
});

it("is of one workspace and one kind", async () => {
  const [ref, other] = [newRef(), newRef()];
  for (const run of ["a", "b"]) await hold(ref, "extraction", run, 60_000);
  expect(await hold(ref, "extraction", "c", 60_000)).toBeUndefined();
  expect(await hold(ref, "model", "c", 60_000)).toBeDefined();
  expect(await hold(other, "extraction", "c", 60_000)).toBeDefined();
});

it.each(["extraction", "provider"] as const)("is taken exactly once when many ask at once: %s", async (kind) => {
  const ref = newRef();
  const asking = Array.from({ length: slotCounts[kind] + 10 }, (_, index) => hold(ref, kind, `${index}`, 60_000));
  const slots = (await Promise.all(asking)).flatMap((held) => held?.slot ?? []);
  expect(slots.toSorted((a, b) => a - b)).toEqual(Array.from({ length: slotCounts[kind] }, (_, slot) => slot));
  expect((await itemsOf(ref.workspace)).map(({ pk }) => pk)).toEqual(slots.map(() => waitingSlotEntity.partition(ref)));
});

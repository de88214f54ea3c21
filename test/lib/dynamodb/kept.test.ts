import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { costOf, inCall, newCallRecord } from "../../../lib/call.ts";
import { getManyKept, keep, thisMoment, untilForgotten } from "../../../lib/dynamodb/kept.ts";
import { commit } from "../../../lib/jobs/commit.ts";

const start = Date.now();
let pk: string;
beforeEach(() => {
  vi.stubEnv("SETTINGS_KEPT_MS", "1000");
  vi.useFakeTimers({ toFake: ["Date", "hrtime"], now: start });
  pk = randomUUID();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const keyOf = (sk: string) => ({ pk, sk });
const put = (sk: string, value: number) => commit([{ put: { ...keyOf(sk), value } }]);

/** The values of items, and the requests that they took. */
async function read(...names: string[]) {
  const call = newCallRecord("call", AbortSignal.timeout(60_000));
  const items = await inCall(call, () => getManyKept<{ value: number }>(names.map(keyOf)));
  return [...items.map((item) => item?.value), costOf(call).roundTrips];
}

it("getManyKept reads an item again after a second, and a missing one too", async () => {
  await put("a", 1);
  expect(await read("a", "b")).toEqual([1, undefined, 1]);
  await put("a", 2);
  await put("b", 3);
  vi.setSystemTime(start + 999);
  expect(await read("a", "b")).toEqual([1, undefined, 0]);
  vi.setSystemTime(start + 1_000);
  expect(await read("a", "b")).toEqual([2, 3, 1]);
});

it("getManyKept reads the items that it does not have, and returns all in the order of their keys", async () => {
  for (const [index, name] of ["a", "b", "c"].entries()) await put(name, index);
  await read("b");
  expect(await read("c", "b", "missing", "a")).toEqual([2, 1, undefined, 0, 1]);
  expect(await read("c", "b", "missing", "a")).toEqual([2, 1, undefined, 0, 0]);
});

it("getManyKept keeps no item longer where the date is set back", async () => {
  await put("a", 1);
  await read("a");
  await put("a", 2);
  vi.advanceTimersByTime(1_000);
  vi.setSystemTime(start - 60_000);
  expect(await read("a")).toEqual([2, 1]);
});

it("keep dates an item from before its read began", async () => {
  const before = thisMoment();
  vi.advanceTimersByTime(1);
  keep([keyOf("a")], [{ value: 7 }], before);
  vi.advanceTimersByTime(998);
  expect(await read("a")).toEqual([7, 0]);
  vi.advanceTimersByTime(1);
  expect(await read("a")).toEqual([undefined, 1]);
});

it("nothing is kept, and nobody waits, while SETTINGS_KEPT_MS is 0", async () => {
  vi.stubEnv("SETTINGS_KEPT_MS", "0");
  await put("a", 1);
  expect(await read("a")).toEqual([1, 1]);
  expect(await read("a")).toEqual([1, 1]);
  const aborted = newCallRecord("call", AbortSignal.abort());
  await inCall(aborted, untilForgotten);
});

it("untilForgotten ends with its call", async () => {
  const end = new AbortController();
  const waiting = inCall(newCallRecord("call", end.signal), untilForgotten);
  end.abort(new Error("over"));
  await expect(waiting).rejects.toThrow("over");
});

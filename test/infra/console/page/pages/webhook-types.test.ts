import { afterEach, expect, test, vi } from "vitest";
import { canSendAgain, type Delivery, troubleOf } from "../../../../../infra/console/page/pages/webhook-types.ts";

afterEach(() => void vi.unstubAllGlobals());

const now = Date.parse("2026-01-31T12:00:00Z");
const delivery = { status: "pending", attempts: 1, nextAttemptAt: null } as Delivery;

/** The deliveries that the API has, the newest first. `hidden`: it did not read all of the log. */
function kept(deliveries: Partial<Delivery>[], isHidden = false) {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const { status, pageSize } = JSON.parse(body).data;
    const found = deliveries.filter((each) => each.status === status);
    const nextPageToken = isHidden || found.length > pageSize ? "more" : null;
    return Response.json({ result: { data: { deliveries: found.slice(0, pageSize), nextPageToken } } });
  });
  return troubleOf("ep", new AbortController().signal);
}

const many = (count: number, status: "delivered" | "failed") => Array.from({ length: count }, () => ({ status }));

test("a delivery that has failed is found, however many came after it", async () => {
  const found = await kept([...many(500, "delivered"), ...many(1, "failed")]);
  expect(found).toEqual({ text: "1 failed for good", hasFailed: true, isWhole: true });
  expect(await kept(many(101, "failed"))).toMatchObject({ text: "100 or more failed for good" });
});

test("those that are retried are counted, and those that wait for their first attempt are not", async () => {
  const pending = [0, 1, 2].map((attempts) => ({ ...delivery, attempts }));
  expect(await kept(pending)).toEqual({ text: "2 being retried", hasFailed: false, isWhole: true });
});

test("nothing is claimed of the part of a long log that was not read", async () => {
  expect(await kept([], true)).toEqual({ text: undefined, hasFailed: false, isWhole: false });
});

test.each<[string, Partial<Delivery>, boolean]>([
  ["has failed", { status: "failed" }, true],
  ["waits 26 minutes for its next attempt", { nextAttemptAt: "2026-01-31T12:26:00Z" }, true],
  ["is tried again in a moment", { nextAttemptAt: "2026-01-31T12:00:30Z" }, false],
  ["has arrived", { status: "delivered" }, false],
])("whether a delivery that %s can be sent again", (_, state, expected) => {
  expect(canSendAgain({ ...delivery, ...state }, now)).toBe(expected);
});

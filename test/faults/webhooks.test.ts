// Each fault at each call of the workers fanout and drain: each event arrives, under one id.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { atEveryCall, faults } from "../support/aws/faults.ts";
import { itemsOf } from "../support/scan.ts";
import { receiver } from "../support/webhooks.ts";
import { webhooks } from "./scenes.ts";

// Time advances, because a run with a rate limit waits for its next slot.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true, advanceTimeDelta: 2 }));
afterEach(() => void vi.useRealTimers());

describe.each([
  ["without a rate limit", undefined, 15],
  ["at most fifty a second", 50, 15],
] as const)("webhooks, %s", (_, rateLimit, callsMin) => {
  it.each(faults)("arrive under one id each and are logged as delivered: %s", async (fault) => {
    const { received, url } = await receiver();
    const calls = await atEveryCall(
      webhooks(() => url, rateLimit),
      fault,
      async (workspace, what) => {
        const own = received.splice(0).map(({ body }) => JSON.parse(body));
        const ids = ["a", "b", "c"].map((id) => {
          return new Set(own.filter(({ data }) => data.documentId === id).map(({ webhookId }) => webhookId)).size;
        });
        expect(ids, what).toEqual([1, 1, 1]);
        const log = (await itemsOf(workspace)).filter(({ pk }) => pk.includes("#LOG"));
        expect(
          log.map(({ status }) => status),
          what,
        ).toEqual(["delivered", "delivered", "delivered"]);
      },
    );
    expect(calls).toBeGreaterThan(callsMin);
  });
});

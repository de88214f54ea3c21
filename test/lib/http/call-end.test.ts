import { describe, expect, it, vi } from "vitest";
import { inCall, newCall, writeWithinCall } from "../../../lib/call.ts";
import { ApiError } from "../../../lib/errors.ts";
import { endCall } from "../../../lib/http/call-end.ts";

const failure = new ApiError("UNAVAILABLE", "Busy.");
const hanging = vi.fn(() => new Promise<never>(() => {}));

describe("endCall", () => {
  it("lets no further write begin", async () => {
    const call = newCall("r");
    expect(await endCall(call, failure, 500)).toBe(true);
    const request = vi.fn(async () => "written");
    await expect(inCall(call, () => writeWithinCall(request))).rejects.toBe(failure);
    expect(request).not.toHaveBeenCalled();
  });

  it("waits for a write in flight, which is not aborted", async () => {
    const call = newCall("r");
    const { promise, resolve } = Promise.withResolvers<string>();
    let isAborted: boolean | undefined;
    const written = inCall(call, () =>
      writeWithinCall(async ({ abortSignal }) => {
        const result = await promise;
        isAborted = abortSignal?.aborted;
        return result;
      }),
    );
    const ended = endCall(call, failure, 500);
    resolve("written");
    expect([await ended, await written, isAborted]).toEqual([true, "written", false]);
  });

  it("returns true when a write in flight fails", async () => {
    const call = newCall("r");
    const { promise, reject } = Promise.withResolvers<never>();
    const refused = expect(inCall(call, () => writeWithinCall(() => promise))).rejects.toThrow("refused");
    const ended = endCall(call, failure, 500);
    reject(new Error("refused"));
    expect(await ended).toBe(true);
    await refused;
  });

  it.each([
    { limitMs: 10_000, waitsMs: 500 },
    { limitMs: 200, waitsMs: 200 },
  ])("returns false and aborts a write that is in flight after $waitsMs ms", async ({ limitMs, waitsMs }) => {
    vi.useFakeTimers();
    const call = newCall("r");
    void inCall(call, () => writeWithinCall(hanging));
    const ended = endCall(call, failure, limitMs);
    await vi.advanceTimersByTimeAsync(waitsMs - 1);
    expect(call.writeSignal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toBe(false);
    expect(call.writeSignal.aborted).toBe(true);
    vi.useRealTimers();
  });
});

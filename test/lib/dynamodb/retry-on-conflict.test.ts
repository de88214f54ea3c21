import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inCall, newCallRecord } from "../../../lib/call.ts";
import { ConflictError, conflict, retryOnConflict } from "../../../lib/dynamodb/retry-on-conflict.ts";

beforeEach(() => {
  // Backoff waits a random share of its ceiling: here, none.
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => void vi.restoreAllMocks());

/** An attempt with `count` conflicts before it succeeds. */
const conflicting = (count: number) => vi.fn(async (index: number) => (index < count ? conflict : "written"));

describe("retryOnConflict", () => {
  it("returns the result of the first attempt without backoff", async () => {
    const attempt = conflicting(0);
    expect(await retryOnConflict("item", attempt)).toBe("written");
    expect(attempt.mock.calls).toEqual([[0]]);
    expect(Math.random).not.toHaveBeenCalled();
  });

  it("repeats the attempt with its index until it succeeds, with backoff between", async () => {
    const attempt = conflicting(19);
    expect(await retryOnConflict("item", attempt)).toBe("written");
    expect(attempt.mock.calls).toEqual(Array.from({ length: 20 }, (_, index) => [index]));
    expect(Math.random).toHaveBeenCalledTimes(19);
  });

  it.each([undefined, false, null])("takes %s for a result", async (result) => {
    const attempt = vi.fn(async () => result);
    expect(await retryOnConflict("item", attempt)).toBe(result);
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it("throws ConflictError, which names the subject, after 20 attempts", async () => {
    const attempt = conflicting(20);
    const error = await retryOnConflict("setting email", attempt).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ name: "ConflictError", message: expect.stringContaining("setting email") });
    expect(attempt).toHaveBeenCalledTimes(20);
  });

  it("ends at the deadline of the call", async () => {
    // The full backoff: the deadline must end it.
    vi.mocked(Math.random).mockReturnValue(1);
    const deadline = new AbortController();
    const attempt = vi.fn(async () => {
      deadline.abort(new Error("too late"));
      return conflict;
    });
    const retrying = inCall(newCallRecord("r", deadline.signal), () => retryOnConflict("item", attempt));
    await expect(retrying).rejects.not.toBeInstanceOf(ConflictError);
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it("throws what the attempt throws, and does not repeat it", async () => {
    const failure = new Error("refused");
    const attempt = vi.fn().mockResolvedValueOnce(conflict).mockRejectedValueOnce(failure);
    await expect(retryOnConflict("item", attempt)).rejects.toBe(failure);
    expect(attempt).toHaveBeenCalledTimes(2);
  });
});

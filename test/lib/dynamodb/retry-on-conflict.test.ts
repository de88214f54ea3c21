import { describe, expect, it, vi } from "vitest";
import { inCall, newCall } from "../../../lib/call.ts";
import { ConflictError, conflict, retryOnConflict } from "../../../lib/dynamodb/retry-on-conflict.ts";
import { skipBackoff } from "../../support/aws/mock-dynamo.ts";

skipBackoff();

/** An attempt with `count` conflicts before it succeeds. */
const conflicting = (count: number) => vi.fn(async (index: number) => (index < count ? conflict : "written"));

describe("retryOnConflict", () => {
  it("returns the result of the first attempt without backoff", async () => {
    const attempt = conflicting(0);
    expect(await retryOnConflict("item", attempt)).toBe("written");
    expect(attempt.mock.calls).toEqual([[0]]);
    expect(Math.random).not.toHaveBeenCalled();
  });

  it("repeats the attempt with its index until it succeeds, with a backoff before each retry", async () => {
    const attempt = conflicting(19);
    expect(await retryOnConflict("item", attempt)).toBe("written");
    expect(attempt.mock.calls).toEqual(Array.from({ length: 20 }, (_, index) => [index]));
    expect(Math.random).toHaveBeenCalledTimes(19);
  });

  it.each([undefined, false, null])("returns the result %s without a retry", async (result) => {
    const attempt = vi.fn(async () => result);
    expect(await retryOnConflict("item", attempt)).toBe(result);
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it("throws a ConflictError that names the subject after 20 attempts", async () => {
    const attempt = conflicting(20);
    const error = await retryOnConflict("setting email", attempt).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ name: "ConflictError", message: expect.stringContaining("setting email") });
    expect(attempt).toHaveBeenCalledTimes(20);
  });

  it("stops at the deadline of the call", async () => {
    // The backoff is not skipped here, so only the deadline can end it.
    vi.mocked(Math.random).mockReturnValue(1);
    const deadline = new AbortController();
    const attempt = vi.fn(async () => {
      deadline.abort(new Error("too late"));
      return conflict;
    });
    const retrying = inCall(newCall("r", deadline.signal), () => retryOnConflict("item", attempt));
    await expect(retrying).rejects.not.toBeInstanceOf(ConflictError);
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it("takes a write that met other transactions in all its tries as a conflict", async () => {
    const unwritten = new ConflictError("refused", { isUnwritten: true });
    const attempt = vi.fn().mockRejectedValueOnce(unwritten).mockResolvedValueOnce("written");
    expect(await retryOnConflict("item", attempt)).toBe("written");
    expect(attempt.mock.calls).toEqual([[0], [1]]);
  });

  it("throws a ConflictError that names the subject after 20 such writes", async () => {
    const attempt = vi.fn().mockRejectedValue(new ConflictError("refused", { isUnwritten: true }));
    const error = await retryOnConflict("setting email", attempt).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ConflictError", message: expect.stringContaining("setting email") });
    expect(attempt).toHaveBeenCalledTimes(20);
  });

  it("does not multiply the attempts of another read-modify-write inside it", async () => {
    const inner = conflicting(20);
    await expect(retryOnConflict("outer", () => retryOnConflict("inner", inner))).rejects.toThrow("The inner changed");
    expect(inner).toHaveBeenCalledTimes(20);
  });

  it("throws the attempt's own error without a retry", async () => {
    const failure = new Error("refused");
    const attempt = vi.fn().mockResolvedValueOnce(conflict).mockRejectedValueOnce(failure);
    await expect(retryOnConflict("item", attempt)).rejects.toBe(failure);
    expect(attempt).toHaveBeenCalledTimes(2);
  });
});

import { expect, it, vi } from "vitest";
import { BusyError } from "../../../lib/dynamodb/busy.ts";
import { untilProcessed } from "../../../lib/dynamodb/unprocessed.ts";
import { skipBackoff } from "../../support/aws/mock-dynamo.ts";

skipBackoff();

it("sends what was left, with a backoff before each repetition", async () => {
  const sendOnce = vi.fn(async (rest: number[]) => rest.slice(2));
  await untilProcessed([1, 2, 3, 4, 5], sendOnce);
  expect(sendOnce.mock.calls).toEqual([[[1, 2, 3, 4, 5]], [[3, 4, 5]], [[5]]]);
  expect(Math.random).toHaveBeenCalledTimes(2);
});

it("throws BusyError after nine attempts that processed nothing", async () => {
  const sendOnce = vi.fn(async (rest: number[]) => rest);
  await expect(untilProcessed([1, 2], sendOnce)).rejects.toBeInstanceOf(BusyError);
  expect(sendOnce).toHaveBeenCalledTimes(9);
});

it("counts only attempts in a row that processed nothing", async () => {
  let attempts = 0;
  const sendOnce = vi.fn(async (rest: number[]) => (++attempts % 8 === 0 ? rest.slice(1) : rest));
  await untilProcessed([1, 2, 3], sendOnce);
  expect(sendOnce).toHaveBeenCalledTimes(24);
});

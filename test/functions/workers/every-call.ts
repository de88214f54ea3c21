// Stops a worker at one of its AWS calls, in each way that a call can go wrong.
import { SQSClient } from "@aws-sdk/client-sqs";
import { vi } from "vitest";
import { type Command, interceptStore } from "../../support/intercept-store.ts";

export const ways = ["not made", "answer lost", "throttled", "process gone", "woken late"] as const;
export type Way = (typeof ways)[number];

const failure = (message: string, more: object = {}) => Object.assign(new Error(message), more);

/**
 * Runs `work` with a fault at its `n`-th call, from 1. `meanwhile` is what happens while a process sleeps there that
 * wakes late. Answers whether there were that many calls.
 */
export async function stopAt(
  n: number,
  way: Way,
  work: () => Promise<unknown>,
  meanwhile: () => Promise<void>,
): Promise<boolean> {
  let calls = 0;
  let isAsleep = false;
  const before = async (command: Command) => {
    if (isAsleep) return;
    const isHere = ++calls === n;
    if (way === "process gone" && calls >= n) throw failure("process gone");
    if (!isHere) return;
    if (way === "not made") throw failure("not made");
    if (way === "throttled") throw throttling(command);
    if (way === "woken late") {
      isAsleep = true;
      await meanwhile();
      isAsleep = false;
    }
  };
  const after = async () => {
    if (way === "answer lost" && calls === n && !isAsleep) throw failure("answer lost");
  };
  interceptStore(before, after);
  vi.spyOn(SQSClient.prototype, "send").mockImplementation((async (command: Command) => {
    await before(command);
    await after();
    return {};
  }) as never);
  await work();
  vi.restoreAllMocks();
  return calls >= n;
}

/** As DynamoDB refuses: a transaction with a reason an item, anything else by name. */
function throttling(command: Command): Error {
  const items: unknown[] | undefined = command.input.TransactItems;
  if (!items) return failure("throttled", { name: "ProvisionedThroughputExceededException" });
  const CancellationReasons = items.map(() => ({ Code: "ThrottlingError" }));
  return failure("throttled", { name: "TransactionCanceledException", CancellationReasons });
}

// Waits of tests, without a time: they count turns of the event loop, or end with a condition.
import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";

/** Takes so many turns. Work in this process that waits for nothing else goes on in each. */
export async function turns(count = 100): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}

/** Takes turns until the condition holds. */
export async function untilHolds(condition: () => unknown): Promise<void> {
  while (!(await condition())) await setImmediate();
}

/** Waits for the work. In each turn, the fake timers of vitest advance by a millisecond. */
export async function inFakeTime<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const ended = () => {
    isDone = true;
  };
  work.then(ended, ended);
  for (; !isDone; await setImmediate()) vi.advanceTimersByTime(1);
  return work;
}

// Simulated time: the clocks and timers of the service, the engine and the pages stand still while any of them works.
import { setImmediate as nextTurn } from "node:timers/promises";
import { vi } from "vitest";

/** Turns of the event loop without a call or a message, after which all that runs waits for a timer. */
const idleTurns = 8;
let stirred = 0;

/** Something happens now that can cause more. */
export const stir = (): void => void stirred++;

/** Begins at a time of day that does not matter. */
export function stopClocks(): void {
  vi.useFakeTimers({
    toFake: ["Date", "performance", "hrtime", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
    now: Date.parse("2026-01-31T12:01:00.000Z"),
  });
}

/** Resolves when all work waits for a timer. */
export async function settle(): Promise<void> {
  for (let idle = 0, seen = stirred; idle < idleTurns; idle++) {
    await nextTurn();
    if (seen !== stirred) idle = 0;
    seen = stirred;
  }
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets time pass, timer by timer, until the work has ended. */
export async function during<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = () => {
    isOver = true;
  };
  work.then(ended, ended);
  for (await settle(); !isOver; await settle()) vi.advanceTimersToNextTimer();
  return work;
}

export const pass = (ms: number): Promise<void> => during(wait(ms));

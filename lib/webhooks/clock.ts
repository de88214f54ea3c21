/** The clock of a run. Tests simulate one. */
export interface Clock {
  /** Ms since the epoch. */
  now(): number;
  /** Resolves at `time` or later, never earlier. */
  sleepUntil(time: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleepUntil(time) {
    // A timer can fire a millisecond early.
    for (let left = time - Date.now(); left > 0; left = time - Date.now()) {
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
    }
  },
};

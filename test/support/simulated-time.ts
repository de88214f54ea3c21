import { setImmediate } from "node:timers/promises";

/** A clock that advances only when all work waits: it then jumps to the time at which the next sleeper wakes. */
export class SimulatedTime {
  #now: number;
  #sleepers: { at: number; wake: () => void }[] = [];

  constructor(now = 0) {
    this.#now = now;
  }

  now = () => this.#now;

  sleepUntil = (at: number): Promise<void> => {
    if (at <= this.#now) return Promise.resolve();
    return new Promise((wake) => void this.#sleepers.push({ at, wake }));
  };

  /** Runs until `work` has ended. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const ended = () => {
      isDone = true;
    };
    work.then(ended, ended);
    for (await setImmediate(); !isDone; await setImmediate()) {
      // Some work takes more than one turn of the event loop.
      if (this.#sleepers.length === 0) continue;
      const at = Math.min(...this.#sleepers.map((each) => each.at));
      this.#now = Math.max(this.#now, at);
      const due = this.#sleepers.filter((each) => each.at <= at);
      this.#sleepers = this.#sleepers.filter((each) => each.at > at);
      for (const { wake } of due) wake();
    }
    return work;
  }
}

// All randomness of the hard engine. A decision depends on the seed and on the number of earlier requests of its kind,
// and not on ids or times: the same seed and the same order of requests give the same decisions.
import { hash } from "node:crypto";

/** Answers a question about one request with a number from 0 to below 1, always the same for the same question. */
export type Draw = (question: string) => number;

const digits = 12;

export class Chance {
  readonly seed: number;
  readonly #counts = new Map<string, number>();

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Draws for the next request of its kind within the scope. The scope only separates the counts. */
  next(scope: string, kind: string): Draw {
    const name = `${scope} ${kind}`;
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return (question) => {
      const text = hash("sha256", `${this.seed} ${kind} ${count} ${question}`);
      return Number.parseInt(text.slice(0, digits), 16) / 16 ** digits;
    };
  }
}

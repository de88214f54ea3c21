// Random choices that depend only on a seed, so that a run can be repeated.
import { hash } from "node:crypto";

export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = Number.parseInt(hash("sha256", seed, "hex").slice(0, 8), 16);
  }

  /** From 0 to below 1, by the algorithm mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  from<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** `from` one to `max` of the values, each at most once. */
  some<T>(values: readonly T[], max: number): T[] {
    const rest = [...values];
    const count = Math.min(rest.length, 1 + this.below(max));
    return Array.from({ length: count }, () => rest.splice(this.below(rest.length), 1)[0] as T);
  }

  /** The size of a page: small ones need several calls. */
  pageSize(): number | undefined {
    return this.chance(0.2) ? 1 + this.below(3) : undefined;
  }

  /** One of the entries, each as often as its weight says. */
  weighted<T>(entries: readonly (readonly [weight: number, value: T])[]): T {
    let at = this.next() * entries.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of entries) {
      at -= weight;
      if (at < 0) return value;
    }
    return (entries.at(-1) as readonly [number, T])[1];
  }
}

// A map that keeps the entries used last, up to a total weight.

/** `weigh` says what an entry counts; by default 1, so that `max` is a number of entries. */
export class Lru<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #max: number;
  readonly #weigh: (value: V) => number;
  #weight = 0;

  constructor(max: number, weigh: (value: V) => number = () => 1) {
    this.#max = max;
    this.#weigh = weigh;
  }

  /** The value of a key, which counts as used now. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Sets an entry, then removes the ones unused for longest until the weight fits. The new entry always stays. */
  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    for (const [oldest] of this.#entries) {
      if (this.#weight <= this.#max || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value);
  }
}

// A map that keeps the most recently used entries, up to a total weight.

/** `weigh` returns the weight of an entry. By default it is 1, so `max` is the number of entries. */
export class Lru<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #max: number;
  readonly #weigh: (value: V) => number;
  #weight = 0;

  constructor(max: number, weigh: (value: V) => number = () => 1) {
    this.#max = max;
    this.#weigh = weigh;
  }

  /** The value of a key. The entry becomes the most recently used one. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Sets an entry, then evicts the least recently used ones until the weight fits. The new entry always stays. */
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

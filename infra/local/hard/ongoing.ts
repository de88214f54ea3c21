// The items that requests are working on. As in DynamoDB, a transaction excludes every other write of its items. Two
// writes outside transactions never conflict: they run one after the other.

/** A transaction with this token has not ended. */
export const inProgress = Symbol("in progress");

export class Ongoing {
  readonly #inTransaction = new Set<string>();
  readonly #written = new Map<string, number>();
  readonly #tokens = new Set<string>();

  /** Whether another transaction works on the item. */
  isInTransaction(name: string): boolean {
    return this.#inTransaction.has(name);
  }

  /** Whether any request writes the item: a transaction that reads it is then cancelled. */
  isWritten(name: string): boolean {
    return this.#inTransaction.has(name) || this.#written.has(name);
  }

  /**
   * Runs a transaction on the items, unless another one works on some of them: then returns for each item whether this
   * is so. A transaction meets itself when its request is repeated too early: then returns `inProgress`.
   */
  async transaction<T>(
    names: readonly string[],
    token: string | undefined,
    run: () => Promise<T>,
  ): Promise<{ result: T } | { conflicts: boolean[] } | typeof inProgress> {
    if (token !== undefined && this.#tokens.has(token)) return inProgress;
    const conflicts = names.map((name) => this.#inTransaction.has(name));
    if (conflicts.includes(true)) return { conflicts };
    for (const name of names) this.#inTransaction.add(name);
    if (token !== undefined) this.#tokens.add(token);
    try {
      return { result: await run() };
    } finally {
      for (const name of names) this.#inTransaction.delete(name);
      if (token !== undefined) this.#tokens.delete(token);
    }
  }

  /** Runs writes that are not in a transaction. */
  async writes<T>(names: readonly string[], run: () => Promise<T>): Promise<T> {
    for (const name of names) this.#written.set(name, (this.#written.get(name) ?? 0) + 1);
    try {
      return await run();
    } finally {
      for (const name of names) {
        const count = this.#written.get(name) ?? 0;
        if (count > 1) this.#written.set(name, count - 1);
        else this.#written.delete(name);
      }
    }
  }
}

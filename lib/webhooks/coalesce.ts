/**
 * Runs `work` on one batch at a time. Items that arrive meanwhile form the next batch. Each caller waits for its
 * own batch.
 */
export function coalesce<T>(work: (batch: T[]) => Promise<void>): (item: T) => Promise<void> {
  let open: { items: T[]; done: Promise<void> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (item) => {
    if (!open) {
      const items: T[] = [];
      const begin = () => {
        open = undefined;
        return work(items);
      };
      open = { items, done: last.then(begin) };
      last = open.done.catch(() => {});
    }
    open.items.push(item);
    return open.done;
  };
}

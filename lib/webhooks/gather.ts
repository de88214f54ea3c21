/** Does together what comes in while the last lot is under way. Each caller waits for the lot that it is in. */
export function gather<T>(work: (lot: T[]) => Promise<void>): (item: T) => Promise<void> {
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

/**
 * Whether an item fits into what is left of `max`. Items that fit take their size. An item that is asked about again
 * takes it once.
 */
export function roomFor(max: number): (id: string, size: number) => boolean {
  const taken = new Map<string, number>();
  let room = max;
  return (id, size) => {
    const left = room + (taken.get(id) ?? 0) - size;
    if (left < 0) return false;
    room = left;
    taken.set(id, size);
    return true;
  };
}

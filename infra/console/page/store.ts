// A value that several components show. Preact renders them again when it changes.
import { useEffect, useState } from "preact/hooks";

export interface Store<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function store<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useStore<T>(from: Store<T>): T {
  const [value, setValue] = useState(from.get());
  useEffect(() => {
    // The value may have changed between the render and this effect.
    setValue(() => from.get());
    return from.subscribe(() => setValue(() => from.get()));
  }, [from]);
  return value;
}

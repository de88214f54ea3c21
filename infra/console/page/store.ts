// A value that several components show. Preact renders them again when it changes.
import { useEffect, useReducer, useRef } from "preact/hooks";

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

/** `pick`: the part that the component shows. Changes of other parts do not render it again. */
export function useStore<T>(from: Store<T>): T;
export function useStore<T, P>(from: Store<T>, pick: (value: T) => P): P;
export function useStore<T>(from: Store<T>, pick: (value: T) => unknown = (value) => value): unknown {
  const [, render] = useReducer<number, void>((count) => count + 1, 0);
  const shown = useRef({ pick, part: undefined as unknown });
  shown.current = { pick, part: pick(from.get()) };
  useEffect(() => {
    const update = () => {
      if (!Object.is(shown.current.pick(from.get()), shown.current.part)) render();
    };
    // The value may have changed between the render and this effect.
    update();
    return from.subscribe(update);
  }, [from]);
  return shown.current.part;
}

// What a part shows before, and instead of, its content.
import type { ComponentChildren } from "preact";
import type { ApiFailure } from "../api.ts";
import { Failure } from "./failure.tsx";

/** Grey lines. They appear only if the reply takes longer than a moment, so that a quick page does not flicker. */
export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div class="loading" role="status">
      <span class="hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} class="bone" />
      ))}
    </div>
  );
}

/** Says what is missing, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}

interface LoadedProps<T> {
  live: { data: T | undefined; failure: ApiFailure | undefined; reload(): void };
  lines?: number;
  children: (data: T) => ComponentChildren;
}

/** Content as soon as it is there. A later failure stands above what was shown last. */
export function Loaded<T>({ live, lines, children }: LoadedProps<T>) {
  const { data, failure, reload } = live;
  return (
    <>
      {failure && <Failure failure={failure} retry={reload} />}
      {data !== undefined ? children(data) : !failure && <Loading {...(lines && { lines })} />}
    </>
  );
}

import type { ComponentChildren } from "preact";
import type { Paged } from "../paged.ts";
import { Failure } from "./failure.tsx";
import { Loading } from "./states.tsx";

interface ListProps<T> {
  label: string;
  paged: Paged<T>;
  /** Shown when there is nothing. */
  empty: ComponentChildren;
  class?: string;
  /** One `<li>`, with a key. */
  children: (item: T) => ComponentChildren;
}

/** A list that grows on request. */
export function List<T>({ label, paged, empty, class: name = "rows", children }: ListProps<T>) {
  const { items, hasMore, isLoadingMore, failure, more, reload } = paged;
  return (
    <>
      {failure && <Failure failure={failure} retry={reload} />}
      {!items && !failure && <Loading />}
      {items?.length === 0 && empty}
      {items && items.length > 0 && (
        <ul class={name} aria-label={label}>
          {items.map(children)}
        </ul>
      )}
      {hasMore && (
        <p>
          <button type="button" onClick={more} aria-disabled={isLoadingMore ? "true" : undefined}>
            {isLoadingMore ? "Loading" : "Show more"}
          </button>
        </p>
      )}
    </>
  );
}

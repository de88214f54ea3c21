// What a part shows before, instead of, and as its content.
import type { ComponentChildren } from "preact";
import type { ApiFailure } from "../api.ts";
import type { List, Live } from "../live.ts";

interface LoadedProps<T> {
  live: Pick<Live<T>, "data" | "failure" | "reload">;
  children: (data: T) => ComponentChildren;
}

/** Content as soon as it is there. A later failure stands above what was shown last. */
export function Loaded<T>({ live: { data, failure, reload }, children }: LoadedProps<T>) {
  return (
    <>
      {failure && <Failure failure={failure} retry={reload} />}
      {data !== undefined
        ? children(data)
        : !failure && (
            <p class="loading quiet" role="status">
              Loading
            </p>
          )}
    </>
  );
}

interface RowsProps<T> {
  label: string;
  list: List<T>;
  /** Shown when there is nothing. */
  empty: ComponentChildren;
  class?: string;
  /** One `<li>`, with a key. */
  children: (item: T) => ComponentChildren;
}

/** A list of the API, which grows on request. */
export function Rows<T>({ label, list, empty, class: name = "rows", children }: RowsProps<T>) {
  const { items, hasMore, isLoadingMore, failure, more, reload } = list;
  return (
    <>
      <Loaded live={{ data: items, failure, reload }}>
        {(all) =>
          all.length === 0 ? (
            empty
          ) : (
            <ul class={name} aria-label={label}>
              {all.map(children)}
            </ul>
          )
        }
      </Loaded>
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

/** Says what is missing, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children && <p>{children}</p>}
    </div>
  );
}

/** A failure where it happened: what the server says, the id of the request for the logs, and a retry. */
export function Failure({ failure, retry }: { failure: ApiFailure; retry: () => void }) {
  const { status, message, requestId } = failure;
  // The same data is refused again.
  const canRetry = status !== "PERMISSION_DENIED" && status !== "INVALID_ARGUMENT";
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{titles[status] ?? "That failed."}</strong> {message}
      </p>
      {canRetry && (
        <button type="button" onClick={retry}>
          Retry
        </button>
      )}{" "}
      {requestId && (
        <span class="quiet">
          Request <code>{requestId}</code>
        </span>
      )}
    </div>
  );
}

const titles: Record<string, string> = {
  PERMISSION_DENIED: "Not permitted in this window.",
  UNREACHABLE: "No connection.",
  NOT_FOUND: "Not found.",
};

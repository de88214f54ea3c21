import type { ApiFailure } from "../api.ts";

/** A failure where it happened: what the server says, the id of the request for the logs, and a retry. */
export function Failure({ failure, retry }: { failure: ApiFailure; retry?: (() => void) | undefined }) {
  const isLocked = failure.status === "PERMISSION_DENIED";
  // The same data is refused again.
  const canRetry = !isLocked && failure.status !== "INVALID_ARGUMENT";
  return (
    <div class={isLocked ? "notice" : "notice bad"} role="alert">
      <p>
        <strong>{titleOf(failure)}</strong> {failure.message}
      </p>
      <p class="row">
        {retry && canRetry && (
          <button type="button" onClick={retry}>
            Retry
          </button>
        )}
        {failure.requestId && (
          <span class="quiet">
            Request <code>{failure.requestId}</code>
          </span>
        )}
      </p>
    </div>
  );
}

function titleOf({ status }: ApiFailure): string {
  if (status === "PERMISSION_DENIED") return "Not permitted in this window.";
  if (status === "UNREACHABLE") return "No connection.";
  if (status === "NOT_FOUND") return "Not found.";
  return "That failed.";
}

// Temporary failures of AWS: throttling, a conflict, an error of the service itself, no connection. The same request
// can succeed later, so a call becomes UNAVAILABLE, and a worker's job is tried again.

/** AWS refused a request at every attempt, because the table or the key is throttled. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** Words in the names of errors, and in the reasons of a cancelled transaction. */
const busyNames =
  /Busy|Conflict|InProgress|Throttl|ThroughputExceeded|RequestLimit|^LimitExceeded|TooManyRequests|SlowDown|Timeout|ServerError|InternalFailure|InternalException|Unavailable/;
/** Node's codes of a failed connection. */
const connectionCodes = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;

/** Whether the name of an error, or the reason of a cancelled transaction, is temporary. */
export const isBusyName = (name: string) => busyNames.test(name);

/** Whether a thrown value is a temporary failure. Its causes count too: the SDK wraps the errors of a connection. */
export function isBusy(thrown: unknown, depth = 0): boolean {
  if (typeof thrown !== "object" || thrown === null || depth > 4) return false;
  const { name, code, cause, $retryable, $metadata } = thrown as SdkError;
  const status = $metadata?.httpStatusCode ?? 0;
  return (
    $retryable !== undefined ||
    status === 429 ||
    status >= 500 ||
    isBusyName(String(name)) ||
    connectionCodes.test(String(code)) ||
    isBusy(cause, depth + 1)
  );
}

interface SdkError {
  name?: string;
  code?: unknown;
  cause?: unknown;
  $retryable?: object;
  $metadata?: { httpStatusCode?: number };
}

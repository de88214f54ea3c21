/** Every status of a failure, with its HTTP status (DECISIONS.md#status-mapping). */
export const httpStatus = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

export type ErrorStatus = keyof typeof httpStatus;

/** Statuses that every endpoint can return. No endpoint declares them. */
export const commonErrors = [
  "INVALID_ARGUMENT",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
] as const satisfies readonly ErrorStatus[];

interface FailureOptions {
  details?: object;
  cause?: unknown;
  /** `code` replaces the HTTP status of the table; `headers` are added to the reply. */
  http?: { code?: number; headers?: Record<string, string> };
  /**
   * The contract states this outcome with a 5xx status, or a workspace's model vendor or large file caused it. Its line
   * in the log is no error, and the alarm on server errors does not count it.
   */
  isExpected?: boolean;
}

/** A failure with a message for its caller, who also sees `details`; `cause` goes to the log only. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: ErrorStatus;
  readonly details: object | undefined;
  readonly http: NonNullable<FailureOptions["http"]>;
  readonly isExpected: boolean;

  constructor(status: ErrorStatus, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause });
    this.status = status;
    this.details = options.details;
    this.http = options.http ?? {};
    this.isExpected = options.isExpected ?? false;
  }
}

/** The failure of a call for something that does not exist. */
export const notFound = (what: string) => new ApiError("NOT_FOUND", `The ${what} does not exist.`);

/**
 * The failure of a call beyond a limit. `retryAfterSeconds`: the call can succeed after this time. Absent: waiting does
 * not help, and the message says what to change.
 */
export function beyondLimit(message: string, retryAfterSeconds?: number): ApiError {
  const http = retryAfterSeconds === undefined ? {} : retryAfter(retryAfterSeconds);
  return new ApiError("RESOURCE_EXHAUSTED", message, { http });
}

/** The header that says when the same call can succeed. */
export const retryAfter = (seconds: number) => ({ headers: { "retry-after": String(seconds) } });

/** One field that failed validation; an array index in `path` is a string too. */
export interface Issue {
  code: string;
  path: string[];
  message: string;
}

/** The failure of a request with invalid fields. Its details list all issues. */
export function invalidArgument(issues: Issue[]): ApiError {
  const first = issues[0];
  const where = first?.path.length ? `${first.path.join(".")}: ` : "";
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see details.issues)` : "";
  return new ApiError("INVALID_ARGUMENT", `${where}${first?.message ?? "Invalid request."}${more}`, {
    details: { issues },
  });
}

/** The failure for one field, for rules that no schema can state. */
export function invalidField(path: string[], message: string): ApiError {
  return invalidArgument([{ code: "custom", path, message }]);
}

/** The failure of a call for an organization that does not exist (DECISIONS.md#denied-and-missing-resources). */
export const noOrganization = (path = ["organizationId"]) => invalidField(path, "The organization does not exist.");

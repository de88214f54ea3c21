// The error of a call that failed.

/** The status of each failure, with its HTTP status where the gateway or the network caused it. */
const statusOfHttp: Record<number, string> = {
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

export interface Issue {
  code: string;
  /** The path to the field. An index of a list is a string too. */
  path: string[];
  message: string;
}

interface Failure {
  /** 0: there was no reply. */
  httpStatus: number;
  requestId?: string | undefined;
  details?: Record<string, unknown> | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** A call that failed. Without a reply, the status is `UNAVAILABLE`, or `DEADLINE_EXCEEDED` after the time limit. */
export class ApiError<Status extends string = string> extends Error {
  override readonly name = "ApiError";
  readonly status: Status;
  readonly httpStatus: number;
  /** Names the call in the logs of the service. */
  readonly requestId: string | undefined;
  readonly details: Record<string, unknown>;
  /** Of `INVALID_ARGUMENT`: the fields that are wrong. */
  readonly issues: readonly Issue[];
  /** When the same call can succeed. Absent: waiting is not known to help. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: Status, message: string, { httpStatus, requestId, details, ...more }: Failure) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = status;
    this.httpStatus = httpStatus;
    this.requestId = requestId;
    this.details = details ?? {};
    this.issues = Array.isArray(this.details.issues) ? this.details.issues : [];
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** The error of a reply that is no success. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = await failureIn(response);
  const status = body?.status ?? statusOfHttp[response.status] ?? "INTERNAL";
  return new ApiError(status, body?.message ?? `The service replied with HTTP ${response.status}.`, {
    httpStatus: response.status,
    requestId: response.headers.get("x-request-id") ?? undefined,
    details: body?.details,
    retryAfterSeconds: secondsIn(response.headers.get("retry-after")),
  });
}

/** Something between the client and the service can send a date instead. Then waiting is not known to help. */
const secondsIn = (text: string | null) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined);

interface FailureBody {
  status?: string;
  message?: string;
  details?: Record<string, unknown>;
}

/** The failure in a body of the service, or of API Gateway itself, which has only a message. */
async function failureIn(response: Response): Promise<FailureBody | undefined> {
  try {
    const body = (await response.json()) as { error?: FailureBody; message?: string };
    return body.error ?? (typeof body.message === "string" ? { message: body.message } : undefined);
  } catch {
    return undefined; // Not JSON: something between the client and the service has replied.
  }
}

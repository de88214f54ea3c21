// The error of a call that failed.

/** The status of each failure, with its HTTP status where the gateway or the network caused it. */
const statusOfHttp: Record<number, string> = {
  401: "UNAUTHENTICATED",
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

/** The error of a reply that is no success. `json`: its body, or anything else if that is not JSON. */
export function errorOf({ status: httpStatus, headers }: Response, json: unknown): ApiError {
  // API Gateway itself replies with only a message.
  const { error, message } = Object(json) as { error?: unknown; message?: unknown };
  const failure = Object(error ?? { message }) as Record<string, unknown>;
  return new ApiError(
    textOr(statusOfHttp[httpStatus] ?? "INTERNAL", failure.status),
    textOr(`The service replied with HTTP ${httpStatus}.`, failure.message),
    {
      httpStatus,
      requestId: headers.get("x-request-id") ?? undefined,
      details: Object(failure.details),
      retryAfterSeconds: secondsIn(headers.get("retry-after")),
    },
  );
}

/** The error of a reply that something between the client and the service has sent. */
export const foreign = (httpStatus: number) =>
  new ApiError("INTERNAL", "The reply is not one of the service.", { httpStatus });

/** The error of an attempt without a reply. */
export const lost = (status: string, message: string, cause?: unknown) =>
  new ApiError(status, message, { httpStatus: 0, cause });

/** Undefined: the body is not JSON. */
export const jsonIn = (response: Response): Promise<unknown> =>
  response
    .clone()
    .json()
    .catch(() => undefined);

const textOr = (otherwise: string, value: unknown) => (typeof value === "string" ? value : otherwise);

/** Something between the client and the service can send a date instead. Then waiting is not known to help. */
const secondsIn = (text: string | null) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined);

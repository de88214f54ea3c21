/** The HTTP status of each error of SES. */
const statuses = {
  AccountSuspendedException: 400,
  BadRequestException: 400,
  LimitExceededException: 400,
  MailFromDomainNotVerifiedException: 400,
  MessageRejected: 400,
  NotFoundException: 404,
  SendingPausedException: 400,
  TooManyRequestsException: 429,
  AccessDeniedException: 403,
  InternalServiceErrorException: 500,
} as const;

export type SesErrorName = keyof typeof statuses;

export class SesError extends Error {
  readonly type: SesErrorName;

  constructor(type: SesErrorName, message: string) {
    super(message);
    this.type = type;
  }

  get status(): number {
    return statuses[this.type];
  }
}

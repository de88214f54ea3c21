// Failures of AWS, for a person who runs a command: what happened, and what to do.

const advices: readonly [pattern: RegExp, advice: string][] = [
  [/Region is missing/i, "Set AWS_REGION to the region of the stack."],
  [
    /could not load credentials|CredentialsProviderError|TokenProviderError|sso session/i,
    "Log in to AWS (`aws sso login`, then set AWS_PROFILE), or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
  ],
  [
    /ExpiredToken|RequestExpired|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch/,
    "The AWS credentials are wrong or have expired: log in again.",
  ],
  [/AccessDenied|NotAuthorized|AuthorizationError/, "Use AWS credentials that may do this on the stack."],
  [/ValidationError.*does not exist/, "Check the name, AWS_REGION and the account of the credentials."],
  [
    /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|TimeoutError/,
    "There is no connection. For a stack, check the network, and that AWS_REGION is the name of a region. Without one, start the local server again.",
  ],
];

/** What to do about a failure of AWS. Undefined: it is of another kind. Its causes count too. */
export function awsAdvice(thrown: unknown): string | undefined {
  const text = textOf(thrown);
  return advices.find(([pattern]) => pattern.test(text))?.[1];
}

/** One line about a failure of AWS, with what to do. Undefined: something else has failed. */
export function awsProblem(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !isOfSdk(thrown)) return undefined;
  const name = thrown.name === "Error" ? "" : `${thrown.name}: `;
  return joined(`AWS: ${name}${thrown.message}`, awsAdvice(thrown));
}

/** The SDK marks the errors of its requests. It has no request without a region and credentials. */
const isOfSdk = (thrown: Error) =>
  "$metadata" in thrown ||
  /^(?:CredentialsProviderError|TokenProviderError)$/.test(thrown.name) ||
  /^Region is missing/.test(thrown.message);

/** A message and the advice, as sentences on one line. */
export function joined(message: string, advice: string | undefined): string {
  const line = message.replace(/\s+/g, " ").trim();
  return advice === undefined ? line : `${line.replace(/\.?$/, ".")} ${advice}`;
}

function textOf(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error) || depth > 4) return "";
  const { name, message, code = "", cause } = thrown as Error & { code?: unknown };
  return [name, code, message, textOf(cause, depth + 1)].join(" ");
}

// Sends mail through SES, from the deployment's own address (DECISIONS.md#senders-of-mail).
import { setTimeout as sleep } from "node:timers/promises";
import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { clientOptions } from "../../aws.ts";
import { measure, writeWithinCall } from "../../call.ts";
import { log } from "../../log.ts";
import type { Outcome } from "../channel.ts";

export interface Mail {
  from: string;
  to: string;
  /** The whole message, with its headers. */
  raw: Uint8Array;
  /** Names and values of letters, digits, `_` and `-`. Events about the message have them. */
  tags: Readonly<Record<string, string>>;
  configurationSet: string | undefined;
}

/** From the request to its reply. SES takes about 200 ms, and longer for a large message. */
const replyMs = 10_000;
/** SES counts the messages of each second. */
const rateTries = 3;
const rateWaitMs = 1_000;

let client: SESv2Client | undefined;

/** SES may have taken a message whose reply was lost, so the SDK does not repeat a request. */
function ses(): SESv2Client {
  client ??= new SESv2Client({ ...clientOptions(replyMs), maxAttempts: 1 });
  return client;
}

/** Nothing that SES does makes this throw. `isWanted`: asked before a request that was too fast is repeated. */
export async function sendBySes(mail: Mail, isWanted = async () => true): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      await writeWithinCall((options) => ses().send(commandOf(mail), options));
      return { isSent: true };
    } catch (thrown) {
      if (!(isTooFast(thrown) && attempt < rateTries)) return outcomeOf(thrown);
      await sleep(rateWaitMs * (0.5 + Math.random()));
      if (!(await isWanted())) return outcomeOf(thrown);
    }
  }
}

function commandOf({ from, to, raw, tags, configurationSet }: Mail): SendEmailCommand {
  return new SendEmailCommand({
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    Content: { Raw: { Data: raw } },
    EmailTags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
    ...(configurationSet && { ConfigurationSetName: configurationSet }),
  });
}

interface SdkError {
  name: string;
  message?: string;
  $metadata?: { httpStatusCode?: number; requestId?: string };
}

const isTooFast = (thrown: unknown) =>
  (thrown as SdkError).name === "TooManyRequestsException" && /rate/i.test((thrown as SdkError).message ?? "");

/** The failure by the name of SES's error. The operator can remove the cause of failures that are tried again. */
const outcomes: Readonly<Record<string, Outcome>> = {
  TooManyRequestsException: {
    again: "The deployment sends more mail than its SES account may: its rate or its daily quota is used up.",
  },
  LimitExceededException: {
    again: "The deployment sends more mail than its SES account may: its rate or its daily quota is used up.",
  },
  AccountSuspendedException: { again: "SES has suspended the sending of this deployment's account." },
  SendingPausedException: { again: "SES has paused the sending of this deployment." },
  NotFoundException: { again: "SES does not know the deployment's configuration set." },
  MailFromDomainNotVerifiedException: { refusal: "SES has not verified the MAIL FROM domain of the deployment." },
  BadRequestException: { refusal: "SES refused the message as malformed." },
};

/** Failures that only the operator can end, beside the unverified sender and the missing permission. */
const ofDeployment: ReadonlySet<string> = new Set([
  "TooManyRequestsException",
  "LimitExceededException",
  "AccountSuspendedException",
  "SendingPausedException",
  "NotFoundException",
  "MailFromDomainNotVerifiedException",
]);

/** A rate that is too high passes by itself. A refused content is the message's fault. */
function isOfDeployment({ name, message = "", $metadata = {} }: SdkError): boolean {
  if (name === "MessageRejected") return isUnverified(message);
  return (ofDeployment.has(name) && !isTooFast({ name, message })) || $metadata.httpStatusCode === 403;
}

/** The texts of SES name addresses and accounts, so no reply and no log line has one. */
function outcomeOf(thrown: unknown): Outcome {
  const { name, message = "", $metadata = {} } = thrown as SdkError;
  const { httpStatusCode: status, requestId } = $metadata;
  log("warn", "SES did not take a message.", { error: name, status, sesRequestId: requestId });
  if (isOfDeployment(thrown as SdkError)) measure("senderRefusals", 1);
  const known = outcomes[name];
  if (known) return known;
  if (name === "MessageRejected") return { refusal: rejection(message) };
  if (status === 403) return { again: "The deployment may not send with SES." };
  if (status !== undefined && status >= 400 && status < 500) return { refusal: "SES refused the message." };
  return { again: "SES did not answer, or has an error." };
}

const isUnverified = (message: string) => /not verified/i.test(message);

function rejection(message: string): string {
  return isUnverified(message)
    ? "SES rejected the message: the sender is not verified or, in SES's sandbox, the recipient is not."
    : "SES rejected the message because of its content.";
}

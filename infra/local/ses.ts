// The operation of SES that the service uses. It checks what SES checks, writes each message to a file, and answers for
// the addresses of SES's mailbox simulator.
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { LocalService } from "./aws-json.ts";
import { listen, privateHttpServer } from "./listen.ts";
import type { Outbox } from "./outbox-files.ts";
import { rateLimit } from "./rate.ts";
import { type AcceptedMail, type Account, accepted } from "./ses-checks.ts";
import { SesError, type SesErrorName } from "./ses-error.ts";

export interface SesOptions extends Account {
  outbox?: Outbox | undefined;
  /** Messages in a second. SES gives 14 to an account that has left its sandbox. Default: any number. */
  sendsPerSecond?: number;
  /** Receives each event that the deployment's rule takes: those of its configuration sets. */
  onFeedback?(event: object): void;
}

export interface LocalSes extends LocalService {
  /** What SES has taken, as it was sent. */
  mails: AcceptedMail[];
  /** Every send fails with this error until it is called with undefined. */
  fail(error: { type: SesErrorName; message?: string } | undefined): void;
}

const path = "/v2/email/outbound-emails";

export async function startSes(options: SesOptions): Promise<LocalSes> {
  const mails: AcceptedMail[] = [];
  let failure: SesError | undefined;
  const rate = rateLimit(options.sendsPerSecond ?? Number.POSITIVE_INFINITY, 1_000);

  function send(text: string): object {
    if (failure) throw failure;
    const mail = accepted(JSON.parse(text || "{}"), options);
    if (!rate()) throw new SesError("TooManyRequestsException", "Maximum sending rate exceeded.");
    const messageId = randomUUID();
    mails.push(mail);
    const subject = mail.headers.find(({ name }) => name === "subject")?.value ?? "";
    options.outbox?.write({
      to: mail.to.join(" "),
      subject,
      extension: "eml",
      content: delivered(mail, messageId),
    });
    if (mail.tags["ses:configuration-set"]) {
      for (const event of feedbackOn(mail, messageId)) options.onFeedback?.(event);
    }
    return { MessageId: messageId };
  }

  const server = privateHttpServer(async (request, response) => {
    const { status, body, type } = await respond(request, send);
    const headers = { "content-type": "application/json", "x-amzn-requestid": randomUUID() };
    response.writeHead(status, { ...headers, ...(type && { "x-amzn-errortype": type }) }).end(JSON.stringify(body));
  });
  const { url, close } = await listen(server, 0);
  const fail: LocalSes["fail"] = (error) => {
    failure = error && new SesError(error.type, error.message ?? `SES's own text of ${error.type}`);
  };
  return { endpoint: url, close, mails, fail };
}

async function respond(request: IncomingMessage, send: (text: string) => object) {
  const text = Buffer.concat(await request.toArray()).toString("utf8");
  try {
    if (request.method !== "POST" || request.url !== path)
      throw new SesError("NotFoundException", `The local server does not support ${request.method} ${request.url}.`);
    return { status: 200, body: send(text) };
  } catch (thrown) {
    const error =
      thrown instanceof SesError ? thrown : new SesError("BadRequestException", "The body is not a valid request.");
    return { status: error.status, type: error.type, body: { message: error.message } };
  }
}

/** SES sets its own Message-ID, whatever the sender has set. The sender's own id of the message stays as a tag. */
function delivered({ raw, tags }: AcceptedMail, messageId: string): Buffer {
  const text = raw.toString("latin1");
  const end = text.search(/\r?\n\r?\n/);
  const head = text
    .slice(0, end)
    .replace(/^Message-ID:.*(?:\r?\n[ \t].*)*/im, `Message-ID: <${messageId}@email.amazonses.com>`);
  const tag = tags.message ? `X-SES-MESSAGE-TAGS: message=${tags.message}\r\n` : "";
  return Buffer.from(tag + head + text.slice(end), "latin1");
}

const simulator = "simulator.amazonses.com";

interface Simulated {
  "detail-type": string;
  detail: object;
}

/** What the simulator's addresses do. Each takes a label: `bounce+anything@…`. */
const simulated: Readonly<Record<string, (address: string, at: string) => Simulated>> = {
  bounce: (emailAddress, at) => ({ "detail-type": "Email Bounced", detail: bounced(emailAddress, at, "General") }),
  suppressionlist: (emailAddress, at) => ({
    "detail-type": "Email Bounced",
    detail: bounced(emailAddress, at, "OnAccountSuppressionList"),
  }),
  complaint: (emailAddress, at) => ({
    "detail-type": "Email Complaint Received",
    detail: {
      eventType: "Complaint",
      complaint: {
        complainedRecipients: [{ emailAddress }],
        timestamp: at,
        feedbackId: randomUUID(),
        complaintFeedbackType: "abuse",
        userAgent: "Amazon SES Mailbox Simulator",
      },
    },
  }),
};

function bounced(emailAddress: string, timestamp: string, bounceSubType: string): object {
  const diagnosticCode = "smtp; 550 5.1.1 user unknown";
  const recipient = { emailAddress, action: "failed", status: "5.1.1", diagnosticCode };
  const bounce = { bounceType: "Permanent", bounceSubType, bouncedRecipients: [recipient], timestamp };
  return { eventType: "Bounce", bounce: { ...bounce, feedbackId: randomUUID() } };
}

/** The events that SES sends to EventBridge: one for each recipient that is an address of the simulator. */
function feedbackOn({ from, to, tags }: AcceptedMail, messageId: string): object[] {
  const time = new Date().toISOString();
  return to.flatMap((address) => {
    const [, name = "", domain] = /^([^+@]+)(?:\+[^@]*)?@(.+)$/.exec(address.toLowerCase()) ?? [];
    const event = domain === simulator ? simulated[name]?.(address, time) : undefined;
    if (!event) return [];
    const mail = { timestamp: time, source: from, sendingAccountId: "000000000000", messageId, destination: to, tags };
    const ids = { version: "0", id: randomUUID(), source: "aws.ses", account: "000000000000", region: "us-east-1" };
    return [{ ...ids, ...event, time, resources: [], detail: { ...event.detail, mail } }];
  });
}

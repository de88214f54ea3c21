// SendGrid's v3 mail/send. It checks what SendGrid checks, and writes what it would send to a file.
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { jsonIn } from "../../lib/json.ts";
import { listen, privateHttpServer } from "./listen.ts";
import type { Outbox } from "./outbox-files.ts";
import { problemOf, type SendGridProblem } from "./sendgrid-checks.ts";

// biome-ignore lint/suspicious/noExplicitAny: a request of SendGrid's API, which the stand-in has checked
export type SendGridMail = any;

export interface LocalSendGrid {
  url: string;
  /** What was taken. */
  mails: SendGridMail[];
  close(): Promise<void>;
}

export async function startSendGrid({ outbox }: { outbox?: Outbox } = {}): Promise<LocalSendGrid> {
  const mails: SendGridMail[] = [];
  const server = privateHttpServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    const refuse = ({ status, message, field }: SendGridProblem) =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ errors: [{ message, field, help: null }] }));
    const unauthorized = authorizationProblem(request);
    if (unauthorized) return refuse(unauthorized);
    // As SendGrid: the error does not say where the JSON is wrong.
    const mail = jsonIn(bytes.toString("utf8")) as SendGridMail;
    const problem = problemOf(mail, bytes.length);
    if (problem) return refuse(problem);
    mails.push(mail);
    const to = mail.personalizations[0].to[0].email;
    const subject = mail.subject ?? "";
    outbox?.write({ to, subject, extension: "sendgrid.json", content: `${JSON.stringify(mail, null, 2)}\n` });
    response.writeHead(202, { "x-message-id": randomUUID() }).end();
  });
  const { url, close } = await listen(server, 0);
  return { url, mails, close };
}

function authorizationProblem({ method, url, headers }: IncomingMessage): SendGridProblem | undefined {
  if (method !== "POST" || url !== "/v3/mail/send") return { status: 404, message: "not found", field: null };
  const [, key] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  if (key === undefined) return { status: 401, message: "Permission denied, wrong credentials", field: null };
  if (!key.startsWith("SG."))
    return { status: 401, message: "The provided authorization grant is invalid, expired, or revoked", field: null };
  return headers["content-type"] === "application/json"
    ? undefined
    : { status: 415, message: "Content-Type must be application/json.", field: null };
}

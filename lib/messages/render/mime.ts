// The bytes of a mail, as providers send them and `.eml` files hold them.
import { hash } from "node:crypto";
import MailComposer from "nodemailer/lib/mail-composer";
import MimeNode from "nodemailer/lib/mime-node";
import { beginning } from "../../beginning.ts";
import { mailAddress } from "../../schema/mail-address.ts";
import type { RenderedEmail } from "./email.ts";
import { oneLine } from "./user-text.ts";

interface Envelope {
  from: { address: string; name?: string | undefined };
  to: string;
  replyTo?: string | undefined;
  date: Date;
}

const nameMax = 100;
/** SES takes no longer sender, with its encoded name. */
const senderMax = 320;

/** The sender, with as much of its name as fits. Names are quoted or encoded, as RFC 5322 and RFC 2047 say. */
function senderOf({ address, name = "" }: Envelope["from"]): { address: string; name: string } {
  const headers = new MimeNode("text/plain");
  for (let shown = oneLine(name, nameMax); ; shown = beginning(shown, shown.length - 1).trimEnd()) {
    const sender = { address, name: shown };
    if (shown === "" || headers.encodeHeaderValue("From", [{ ...sender }]).length <= senderMax) return sender;
  }
}

/** Throws if an address is not one: it could name several recipients. */
export function mailBytes(email: RenderedEmail, { from, to, replyTo, date }: Envelope): Promise<Buffer> {
  for (const each of [from.address, to, ...(replyTo === undefined ? [] : [replyTo])]) {
    if (mailAddress(each) === undefined || each !== each.trim()) throw new Error("A mail needs a valid address.");
  }
  const { "Message-ID": messageId, ...headers } = email.headers;
  return new MailComposer({
    from: senderOf(from),
    to: { address: to, name: "" },
    ...(replyTo !== undefined && { replyTo: { address: replyTo, name: "" } }),
    subject: email.subject,
    text: email.text,
    html: email.html,
    messageId,
    headers,
    date,
    // No text can have the hash of itself, so no text ends its part.
    baseBoundary: hash("sha256", email.text + email.html, "hex").slice(0, 32),
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

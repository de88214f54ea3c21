// The bytes of a mail, as providers send them and `.eml` files hold them.
import { hash } from "node:crypto";
import MailComposer from "nodemailer/lib/mail-composer";
import { isMailAddress } from "../../schema/mail-address.ts";
import type { RenderedEmail } from "./email.ts";
import { oneLine } from "./user-text.ts";

interface Envelope {
  from: { address: string; name?: string | undefined };
  to: string;
  replyTo?: string | undefined;
  date: Date;
}

const nameMax = 100;

/** Throws if an address is not one: it could name several recipients. */
export function mailBytes(email: RenderedEmail, { from, to, replyTo, date }: Envelope): Promise<Buffer> {
  for (const each of [from.address, to, ...(replyTo === undefined ? [] : [replyTo])]) {
    if (!isMailAddress(each)) throw new Error("A mail needs a valid address.");
  }
  const { "Message-ID": messageId, ...headers } = email.headers;
  return new MailComposer({
    from: { address: from.address, name: oneLine(from.name ?? "", nameMax) },
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

// Sends mail through the workspace's own account of SendGrid (v3 mail/send; DECISIONS.md#senders-of-mail).
import { config } from "../../config.ts";
import { domainOf, mailAddress } from "../../schema/mail-address.ts";
import type { Secret } from "../../secret.ts";
import type { EmailSetting } from "../../store/setting.ts";
import { askProvider, isTemporary, type ProviderReply, waitOf } from "../ask-provider.ts";
import type { Outcome } from "../channel.ts";
import type { MessageContent } from "../message-content.ts";
import { renderEmail } from "../render/email.ts";
import { templateDataOf } from "../render/template-data.ts";
import { displayName } from "../render/user-text.ts";
import { isOfComment } from "../who.ts";

type SendGridSetting = Pick<EmailSetting, "fromEmail" | "fromCompany" | "commentTemplateId" | "tagTemplateId"> & {
  apiKey: Secret;
};

/** Nothing that SendGrid does makes this throw. */
export async function sendBySendGrid(setting: SendGridSetting, message: MessageContent, to: string): Promise<Outcome> {
  const from = mailAddress(setting.fromEmail);
  if (from === undefined) return { refusal: "fromEmail is not an address that SendGrid takes." };
  const mail = mailOf({ ...message, workspaceName: setting.fromCompany }, { ...setting, fromEmail: from }, to);
  const reply = await askProvider({
    provider: "SendGrid",
    url: `${config.sendGridBaseUrl()}/v3/mail/send`,
    headers: { authorization: `Bearer ${setting.apiKey.reveal()}`, "content-type": "application/json" },
    body: JSON.stringify(mail),
  });
  return "status" in reply ? outcomeOf(reply) : reply;
}

function mailOf(message: MessageContent, setting: SendGridSetting, to: string): object {
  const { fromEmail, fromCompany } = setting;
  const name = displayName(fromCompany);
  const { subject, text, html, headers } = renderEmail(message, { domain: domainOf(fromEmail) });
  const template = templateOf(message, setting);
  const recipient = { to: [{ email: to }], ...(template && { dynamic_template_data: templateDataOf(message) }) };
  const off = { enable: false };
  return {
    personalizations: [recipient],
    from: { email: fromEmail, ...(name && { name }) },
    subject,
    ...(template
      ? { template_id: template }
      : {
          content: [
            { type: "text/plain", value: text },
            { type: "text/html", value: html },
          ],
        }),
    headers: withoutOwn(headers),
    custom_args: { message: message.messageId },
    // With click tracking, links would lead to SendGrid and not to the document.
    tracking_settings: { click_tracking: off, open_tracking: off, subscription_tracking: off },
  };
}

/** SendGrid makes the Message-ID itself. */
const withoutOwn = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^message-id$/i.test(name)));

/** A mention has its own template. Empty: none is set. */
function templateOf(
  { entries, others = [] }: MessageContent,
  { commentTemplateId, tagTemplateId }: SendGridSetting,
): string {
  const all = [...entries, ...others.flatMap((each) => each.entries)];
  const isMention = all.some((each) => each.kind === "annotation" && each.isPersonal && isOfComment(each.event));
  return isMention ? tagTemplateId : commentTemplateId;
}

function outcomeOf(reply: ProviderReply): Outcome {
  const { status } = reply;
  if (status >= 200 && status < 300) return { isSent: true };
  if (status === 429) return { again: "SendGrid takes no more messages of this account now.", ...waitOf(reply) };
  if (isTemporary(status)) return { again: `SendGrid has an error (HTTP ${status}).`, ...waitOf(reply) };
  const errors = errorsOf(reply);
  if (status === 401 && errors.some(({ message }) => message === "Maximum credits exceeded"))
    return { again: "The credits of the SendGrid account are used up." };
  if (status === 401) return { refusal: "SendGrid refused the apiKey." };
  const field = errors.map((each) => each.field).find((each) => each !== undefined);
  const known = field === undefined ? undefined : ofField.find(([pattern]) => pattern.test(field));
  if (known) return { refusal: `SendGrid refused ${known[1]} (HTTP ${status}).` };
  if (status === 403)
    return { refusal: "The apiKey may not send mail with SendGrid, or fromEmail is not verified there." };
  if (status === 413) return { refusal: "The message is too large for SendGrid." };
  return { refusal: `SendGrid refused the message (HTTP ${status}).` };
}

/** The meaning of `field` in an error of SendGrid, for readers of the message list. */
const ofField: [RegExp, string][] = [
  [/^from/, "fromEmail: it is no verified sender of the account"],
  [/^personalizations(?:\.\d+)?\.to/, "the recipient's address"],
  [
    /^personalizations(?:\.\d+)?\.dynamic_template_data|^template_id/,
    "the template: check commentTemplateId and tagTemplateId",
  ],
  [/^(?:headers|personalizations)/, "the headers or the recipients of the message"],
  [/^(?:subject|content)/, "the subject or the content of the message"],
];

/** Only the field and the text of an error, and only to compare them: the texts can repeat what was sent. */
function errorsOf({ body }: ProviderReply): { field?: string; message?: string }[] {
  const { errors } = Object(body) as { errors?: unknown };
  return (Array.isArray(errors) ? errors : []).map((each) => {
    const { field, message } = Object(each) as { field?: unknown; message?: unknown };
    return { ...(typeof field === "string" && { field }), ...(typeof message === "string" && { message }) };
  });
}

// E-mail: through the workspace's own provider where it has a key for one, else through the deployment's sender
// (DECISIONS.md#senders-of-mail).
import { config } from "../../config.ts";
import { domainOf, mailAddress } from "../../schema/mail-address.ts";
import { purposes, unseal } from "../../secrets.ts";
import { suppressionOf } from "../../store/messages/suppression.ts";
import type { WorkspaceRef } from "../../store/refs.ts";
import * as Setting from "../../store/setting.ts";
import type { Addressee, Channel, Sender } from "../channel.ts";
import { emailProblem, hasOwnProvider } from "../problems.ts";
import { renderEmail } from "../render/email.ts";
import { mailBytes } from "../render/mime.ts";
import { displayName } from "../render/user-text.ts";
import { sendBySendGrid } from "./sendgrid.ts";
import { sendBySes } from "./ses.ts";

export const emailChannel: Channel = {
  name: "email",
  async senderOf({ workspace }) {
    const setting = await Setting.get({ workspace }, "email");
    const problem = emailProblem(setting);
    if (problem !== undefined) return { problem };
    if (!hasOwnProvider(setting)) return deploymentSender({ workspace }, setting);
    const apiKey = await unseal(setting.apiKeySealed, { workspace, purpose: purposes.emailApiKey });
    return { addressOf: recipientOf, send: (message, to) => sendBySendGrid({ ...setting, apiKey }, message, to) };
  },
};

function deploymentSender({ workspace }: WorkspaceRef, setting: Setting.EmailSetting): Sender {
  const address = config.emailFrom() ?? "";
  const from = { address, name: displayName(setting.fromCompany) };
  // The deployment's own address sends for every workspace, so the workspace's address only gets the replies.
  const replyTo = mailAddress(setting.fromEmail);
  return {
    addressOf: recipientOf,
    async send(message, to, isWanted) {
      const named = { ...message, workspaceName: setting.fromCompany };
      const rendered = renderEmail(named, { domain: domainOf(address) });
      const raw = await mailBytes(rendered, { from, to, replyTo, date: new Date() });
      const tags = { workspace, message: message.messageId };
      return sendBySes({ from: address, to, raw, tags, configurationSet: config.emailConfigurationSet() }, isWanted);
    },
  };
}

/** The address of a user, or why no mail goes there (DECISIONS.md#suppressed-addresses). */
export async function recipientOf({ workspace, email }: Addressee): Promise<{ address: string } | { problem: string }> {
  const address = mailAddress(email);
  if (address === undefined) return { problem: "The user's e-mail address is not one that mail can reach." };
  const suppression = await suppressionOf({ workspace }, address);
  return suppression ? { problem: sentences[suppression.reason] } : { address };
}

const sentences = {
  bounce:
    "Mail to the address has bounced, so none is sent there. The operator can permit it again (npm run admin -- message unsuppress).",
  complaint:
    "The owner of the address has complained about mail of the workspace. /v2/workspace/messages/suppressions/delete permits it again.",
};

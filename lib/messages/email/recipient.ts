import { mailAddress } from "../../schema/mail-address.ts";
import { suppressionOf } from "../../store/messages/suppression.ts";
import type { Addressee } from "../channel.ts";

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

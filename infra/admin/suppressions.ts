import { mailAddress } from "../../lib/schema/mail-address.ts";
import { columns, type Io, type Output, type TargetOptions, UserError } from "./command.ts";
import { readSecret } from "./read-secret.ts";
import { withTarget } from "./target.ts";

export function listBounces(options: TargetOptions): Promise<Output> {
  return withTarget(options, async () => {
    const { bounced } = await import("../../lib/store/messages/suppression.ts");
    const found = (await bounced()).map(({ hash, at, detail = "" }) => ({ hash, at, detail }));
    const rows = found.map(({ hash, at, detail }) => [hash, at, detail]);
    return { json: found, text: columns(["HASH OF THE ADDRESS", "BOUNCED AT", "KIND"], rows) };
  });
}

/** Standard input keeps the address out of the shell's history. */
export async function permitAgain(options: TargetOptions, io: Io): Promise<Output> {
  const address = mailAddress(await readSecret(io, "E-mail address: "));
  if (address === undefined) throw new UserError("Pass one e-mail address on standard input.");
  return withTarget(options, async () => {
    const { release } = await import("../../lib/store/messages/suppression.ts");
    const isReleased = await release(undefined, address);
    const text = isReleased ? "The address gets mail again." : "Mail to the address had not bounced.";
    return { json: { isReleased }, text };
  });
}

import type { Command } from "commander";
import type { SigningKeys } from "../../lib/store/access/signing-key.ts";
import { type Io, type Output, UserError, type WorkspaceOptions } from "./command.ts";
import { onWorkspace } from "./target.ts";

interface RotateOptions extends WorkspaceOptions {
  now?: true;
}

/** The commands that rotate a key of a workspace. */
export function addKeys(program: Command, io: Io): void {
  const signing = program.command("signing-key").description("rotate the key that signs a workspace's user tokens");
  const tokens = signing
    .command("rotate")
    .description("list a new key now and sign with it in 10 minutes; tokens of the former key stay valid")
    .option("--now", "sign with the new key at once, and make all tokens of other keys invalid");
  const note = " Verifiers that cached the former key accept it for up to 5 minutes.";
  addRotation(tokens, io, "tokenKeys", note);
  const recording = program.command("records-key").description("rotate the key that signs a workspace's receipts");
  const records = recording
    .command("rotate")
    .description("list a new key now and sign with it in 10 minutes; the former key stays listed for ever")
    .option("--now", "sign with the new key at once");
  addRotation(records, io, "recordsKeys", "");
}

/** `note`: what else holds when the new key signs at once. */
function addRotation(command: Command, io: Io, of: "tokenKeys" | "recordsKeys", note: string): void {
  onWorkspace(command, io, async ({ apiKey }, { now }: RotateOptions) => {
    const { rotateKey } = await import("../../lib/access/signing-keys.ts");
    const { [of]: keysOf } = await import("../../lib/store/access/signing-key.ts");
    return rotation(await rotateKey(keysOf(apiKey), now === true), note);
  });
}

function rotation(keys: Pick<SigningKeys, "kid" | "next"> | undefined, note: string): Output {
  if (!keys) {
    throw new UserError("The key of an earlier rotation does not sign yet. Wait up to 10 minutes, or use --now.");
  }
  const { kid, signsFrom } = keys.next ?? { kid: keys.kid, signsFrom: undefined };
  if (signsFrom === undefined) {
    return { json: { kid, signsFrom: null }, text: `Key ${kid} signs from now on.${note}` };
  }
  const from = new Date(signsFrom).toISOString();
  return { json: { kid, signsFrom: from }, text: `Key ${kid} signs from ${from} on.` };
}

import type { Command } from "commander";
import { addWorkspaceAction, type Io, type Output, UserError, type WorkspaceOptions } from "./command.ts";
import { withWorkspace } from "./target.ts";

interface RotateOptions extends WorkspaceOptions {
  now?: true;
}

export function addSigningKey(program: Command, io: Io): void {
  const group = program.command("signing-key").description("rotate the key that signs a workspace's user tokens");
  const rotateCommand = group
    .command("rotate")
    .description("list a new key now and sign with it in 10 minutes; tokens of the former key stay valid")
    .option("--now", "sign with the new key at once, and make all tokens of other keys invalid");
  addWorkspaceAction(rotateCommand, io, (options: RotateOptions) =>
    withWorkspace(options, ({ apiKey }) => rotate(apiKey, options.now === true)),
  );
}

async function rotate(apiKey: string, isImmediate: boolean): Promise<Output> {
  const { rotateKey } = await import("../../lib/access/signing-keys.ts");
  const keys = await rotateKey(apiKey, isImmediate);
  if (!keys) {
    throw new UserError("The key of an earlier rotation does not sign yet. Wait up to 10 minutes, or use --now.");
  }
  const { kid, signsFrom } = keys.next ?? { kid: keys.kid, signsFrom: undefined };
  if (signsFrom === undefined) {
    const text = `Key ${kid} signs from now on. Verifiers that cached the former key accept it for up to 5 minutes.`;
    return { json: { kid, signsFrom: null }, text };
  }
  const from = new Date(signsFrom).toISOString();
  return { json: { kid, signsFrom: from }, text: `Key ${kid} signs from ${from} on.` };
}

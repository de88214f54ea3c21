import { type Command, Option } from "commander";
import { type AiVendor, aiVendors } from "../../lib/schema/setting-names.ts";
import { addWorkspaceAction, type Io, UserError, type WorkspaceOptions } from "./command.ts";
import { readSecret } from "./read-secret.ts";
import { withWorkspace } from "./target.ts";

interface SetOptions extends WorkspaceOptions {
  vendor: AiVendor;
}

export function addAiKey(program: Command, io: Io): void {
  const group = program.command("ai-key").description("set the API keys that a workspace has from AI vendors");
  const setCommand = group
    .command("set")
    .description("set the API key from a vendor; the command reads it from standard input, never from an argument")
    .addOption(
      new Option("--vendor <vendor>", "AI vendor that issued the key (required)")
        .choices(aiVendors)
        .makeOptionMandatory(),
    );
  addWorkspaceAction(setCommand, io, async (options: SetOptions) => {
    const { vendor } = options;
    // Read before the engine starts, because a user at a terminal may never type the key.
    const key = checkedKey(await readSecret(io, `API key of ${vendor}: `));
    return withWorkspace(options, async ({ apiKey: workspace }) => {
      const { purposes, seal } = await import("../../lib/secrets.ts");
      const Setting = await import("../../lib/store/setting.ts");
      const sealed = await seal(key, { workspace, purpose: purposes.aiKey[vendor] });
      await Setting.change({ workspace }, "ai", undefined, () => ({ [`${vendor}ApiKeySealed`]: sealed }));
      return { json: { vendor }, text: `The API key of ${vendor} is set.` };
    });
  });
}

/** The key becomes an HTTP header. Other characters mean that the input is not a key, such as a whole file. */
function checkedKey(key: string): string {
  if (key === "") throw new UserError("The API key is empty. Pass it on standard input.");
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UserError("The API key must be one line of printable ASCII characters without spaces.");
  return key;
}

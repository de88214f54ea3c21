import { type Command, Option } from "commander";
import { type AiVendor, aiVendors } from "../../lib/schema/setting-names.ts";
import { type Io, Refusal, runsOnWorkspace, type WorkspaceOptions } from "./command.ts";
import { readSecret } from "./read-secret.ts";
import { inWorkspace } from "./target.ts";

interface SetOptions extends WorkspaceOptions {
  vendor: AiVendor;
}

export function addAiKey(program: Command, io: Io): void {
  const noun = program.command("ai-key").description("set a workspace's API keys of AI vendors");
  const setting = noun
    .command("set")
    .description("set the API key for a vendor; it is read from standard input, never from an argument")
    .addOption(new Option("--vendor <vendor>", "whose key it is").choices(aiVendors).makeOptionMandatory());
  runsOnWorkspace(setting, io, async (options: SetOptions) => {
    const { vendor } = options;
    // Before anything is opened: who is asked may take their time, or never answer.
    const key = checked(await readSecret(io, `API key of ${vendor}: `));
    return inWorkspace(options, async ({ apiKey: workspace }) => {
      const { seal } = await import("../../lib/secrets.ts");
      const Setting = await import("../../lib/store/setting.ts");
      const sealed = await seal(key, { workspace, purpose: Setting.aiKeyPurpose(vendor) });
      await Setting.update(workspace, "ai", { [`${vendor}ApiKeySealed`]: sealed });
      return { json: { vendor }, text: `The API key of ${vendor} is set.` };
    });
  });
}

/** A key travels in a header: what could not is no key, but a whole file pasted by mistake. */
function checked(key: string): string {
  if (key === "") throw new Refusal("The API key is empty. Give it on standard input.");
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Refusal("The API key must be one line of printable ASCII without spaces.");
  return key;
}

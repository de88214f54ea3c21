import { type Command, Option } from "commander";
import { type AiVendor, aiVendors } from "../../lib/schema/setting-names.ts";
import type { Workspace } from "../../lib/store/workspace.ts";
import { addWorkspaceAction, type Io, type Output, UserError, type WorkspaceOptions } from "./command.ts";
import { readSecret } from "./read-secret.ts";
import { onWorkspace, withWorkspace } from "./target.ts";

interface VendorOptions extends WorkspaceOptions {
  vendor: AiVendor;
}

export function addAiKey(program: Command, io: Io): void {
  const group = program
    .command("ai-key")
    .description("set or remove the API keys that a workspace has from AI vendors");
  const setCommand = group
    .command("set")
    .description("set the API key from a vendor; the command reads it from standard input, never from an argument")
    .addOption(vendorOption());
  addWorkspaceAction(setCommand, io, async (options: VendorOptions) => {
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
  const removeCommand = group
    .command("remove")
    .description("remove the API key from a vendor; the workspace cannot use its models then")
    .addOption(vendorOption());
  onWorkspace(removeCommand, io, remove);
}

async function remove({ apiKey: workspace }: Workspace, { vendor }: VendorOptions): Promise<Output> {
  const Setting = await import("../../lib/store/setting.ts");
  const field = `${vendor}ApiKeySealed` as const;
  const { [field]: sealed } = await Setting.get({ workspace }, "ai");
  if (sealed === "") throw new UserError(`The workspace has no API key of ${vendor}.`);
  await Setting.change({ workspace }, "ai", undefined, () => ({ [field]: "" }));
  return { json: { vendor, removed: true }, text: `The API key of ${vendor} is removed.` };
}

const vendorOption = () =>
  new Option("--vendor <vendor>", "AI vendor that issued the key (required)").choices(aiVendors).makeOptionMandatory();

/** The key becomes an HTTP header. Other characters mean that the input is not a key, such as a whole file. */
function checkedKey(key: string): string {
  if (key === "") throw new UserError("The API key is empty. Pass it on standard input.");
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UserError("The API key must be one line of printable ASCII characters without spaces.");
  return key;
}

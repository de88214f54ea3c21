import { Argument, type Command } from "commander";
import { AccessType } from "../../lib/schema/primitives.ts";
import type { Io } from "./command.ts";
import { onWorkspace } from "./target.ts";

export function addAccess(program: Command, io: Io): void {
  const group = program.command("access").description("set the default access type of a workspace");
  const setCommand = group
    .command("set")
    .description("set the access type of folders and documents that have no access type of their own")
    .addArgument(new Argument("<type>", "access type").choices(AccessType.options));
  onWorkspace(setCommand, io, async ({ apiKey }, _options, defaultAccessType: AccessType) => {
    const Setting = await import("../../lib/store/setting.ts");
    await Setting.update({ workspace: apiKey }, "access", { defaultAccessType });
    return { json: { defaultAccessType }, text: `The default access type is ${defaultAccessType}.` };
  });
}

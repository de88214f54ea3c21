import { Argument, type Command } from "commander";
import { AccessType } from "../../lib/schema/primitives.ts";
import { addWorkspaceAction, type Io } from "./command.ts";
import { withWorkspace } from "./target.ts";

export function addAccess(program: Command, io: Io): void {
  const group = program.command("access").description("set the default access type of a workspace");
  const setCommand = group
    .command("set")
    .description("set the access type of folders and documents that have no access type of their own")
    .addArgument(new Argument("<type>", "access type").choices(AccessType.options));
  addWorkspaceAction(setCommand, io, (options, defaultAccessType: AccessType) =>
    withWorkspace(options, async ({ apiKey }) => {
      const Setting = await import("../../lib/store/setting.ts");
      await Setting.update({ workspace: apiKey }, "access", { defaultAccessType });
      return { json: { defaultAccessType }, text: `The default access type is ${defaultAccessType}.` };
    }),
  );
}

import { Argument, type Command } from "commander";
import { AccessType } from "../../lib/schema/primitives.ts";
import { type Io, runsOnWorkspace } from "./command.ts";
import { inWorkspace } from "./target.ts";

export function addAccess(program: Command, io: Io): void {
  const noun = program.command("access").description("set a workspace's default access type");
  const setting = noun
    .command("set")
    .description("set the access type of folders and documents that have none of their own")
    .addArgument(new Argument("<type>").choices(AccessType.options));
  runsOnWorkspace(setting, io, (options, defaultAccessType: AccessType) =>
    inWorkspace(options, async ({ apiKey }) => {
      const Setting = await import("../../lib/store/setting.ts");
      await Setting.update(apiKey, "access", { defaultAccessType });
      return { json: { defaultAccessType }, text: `The default access type is ${defaultAccessType}.` };
    }),
  );
}

import { Argument, type Command } from "commander";
import { type Switch, switchNames } from "../../lib/schema/setting-names.ts";
import { type Io, runsOnWorkspace } from "./command.ts";
import { inWorkspace } from "./target.ts";

export function addSwitch(program: Command, io: Io): void {
  const noun = program.command("switch").description("switch features of a workspace on or off");
  const setting = noun
    .command("set")
    .description("switch a feature on or off")
    .addArgument(new Argument("<name>", "the switch").choices(switchNames))
    .addArgument(new Argument("<state>").choices(["on", "off"]));
  runsOnWorkspace(setting, io, (options, name: Switch, state: "on" | "off") =>
    inWorkspace(options, async ({ apiKey }) => {
      if (name === "advancedWebhooks") {
        const { switchWebhooks } = await import("../../lib/webhooks/configure.ts");
        await switchWebhooks(apiKey, state === "on");
      } else {
        const Setting = await import("../../lib/store/setting.ts");
        await Setting.update(apiKey, "switches", { [name]: state === "on" });
      }
      return { json: { [name]: state === "on" }, text: `${name} is ${state}.` };
    }),
  );
}

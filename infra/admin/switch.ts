import { Argument, type Command } from "commander";
import { type Switch, switchNames } from "../../lib/schema/setting-names.ts";
import type { Io } from "./command.ts";
import { onWorkspace } from "./target.ts";

export function addSwitch(program: Command, io: Io): void {
  const group = program.command("switch").description("turn switches of a workspace on or off");
  const setCommand = group
    .command("set")
    .description("turn a switch on or off")
    .addArgument(new Argument("<name>", "switch").choices(switchNames))
    .addArgument(new Argument("<state>", "new state").choices(["on", "off"]));
  onWorkspace(setCommand, io, async ({ apiKey }, _options, name: Switch, state: "on" | "off") => {
    if (name === "advancedWebhooks") {
      const { switchWebhooks } = await import("../../lib/webhooks/configure.ts");
      await switchWebhooks({ workspace: apiKey }, state === "on");
    } else {
      const Setting = await import("../../lib/store/setting.ts");
      await Setting.update({ workspace: apiKey }, "switches", { [name]: state === "on" });
    }
    return { json: { [name]: state === "on" }, text: `${name} is ${state}.` };
  });
}

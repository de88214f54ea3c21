import { type Command, InvalidArgumentError, Option } from "commander";
import type { Workspace } from "../../lib/store/workspace.ts";
import { addWorkspaceAction, type Io, type Output, UserError, type WorkspaceOptions } from "./command.ts";
import { withWorkspace } from "./target.ts";

interface SetOptions extends WorkspaceOptions {
  rate?: number;
  burst?: number;
  default?: true;
}

export function addLimit(program: Command, io: Io): void {
  const group = program.command("limit").description("set or show how many calls a workspace may make");
  const setCommand = group
    .command("set")
    .description("set the limit of a workspace; servers apply it within 30 seconds")
    .addOption(countOption("--rate <calls>", "calls in a second"))
    .addOption(countOption("--burst <calls>", "calls at once; by default twice the rate"))
    .addOption(new Option("--default", "remove the workspace's own limit").conflicts(["rate", "burst"]));
  addWorkspaceAction(setCommand, io, (options: SetOptions) => withWorkspace(options, (found) => set(found, options)));
  const getCommand = group.command("get").description("show the limit of a workspace");
  addWorkspaceAction(getCommand, io, (options) => withWorkspace(options, async (found) => shown(found)));
}

async function set({ apiKey }: Workspace, options: SetOptions): Promise<Output> {
  const { rate, burst = 2 * (rate ?? 0) } = options;
  if (rate === undefined && !options.default) throw new UserError("Give --rate, or --default.");
  const Workspaces = await import("../../lib/store/workspace.ts");
  const limit = rate === undefined ? undefined : { callsPerSecond: rate, callsBurst: burst };
  if (!(await Workspaces.setCallLimit({ workspace: apiKey }, limit)))
    throw new UserError("The workspace was deleted meanwhile.");
  return shown(limit ?? {});
}

function shown({ callsPerSecond, callsBurst }: Pick<Workspace, "callsPerSecond" | "callsBurst">): Output {
  if (callsPerSecond === undefined || callsBurst === undefined) {
    const text = "The workspace has the deployment's default limit (workspaceCallsPerSecond).";
    return { json: { isDefault: true }, text };
  }
  const text = `The workspace may make ${callsPerSecond} calls a second, and ${callsBurst} at once.`;
  return { json: { isDefault: false, rate: callsPerSecond, burst: callsBurst }, text };
}

function countOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1 to 9,999,999.");
    return Number(text);
  });
}

import { type Command, InvalidArgumentError, Option } from "commander";
import type { Limits, Workspace } from "../../lib/store/workspace.ts";
import { type Io, type Output, UserError, type WorkspaceOptions } from "./command.ts";
import { onWorkspace } from "./target.ts";

interface SetOptions extends WorkspaceOptions {
  rate?: number;
  burst?: number;
  messages?: number;
  default?: true;
}

export function addLimit(program: Command, io: Io): void {
  const group = program
    .command("limit")
    .description("set or show how many calls a workspace may make, and how many messages it may send");
  const setCommand = group
    .command("set")
    .description("set the limits of a workspace; servers apply them within 30 seconds")
    .addOption(countOption("--rate <calls>", "calls in a second"))
    .addOption(countOption("--burst <calls>", "calls at once; by default twice the rate"))
    .addOption(countOption("--messages <messages>", "e-mails and Slack messages in a day"))
    .addOption(new Option("--default", "remove the workspace's own limits").conflicts(["rate", "burst", "messages"]));
  onWorkspace(setCommand, io, set);
  const getCommand = group.command("get").description("show the limits of a workspace");
  onWorkspace(getCommand, io, async (found) => shown(found));
}

async function set({ apiKey }: Workspace, options: SetOptions): Promise<Output> {
  const { rate, burst, messages } = options;
  if (rate === undefined && messages === undefined && !options.default) {
    throw new UserError("Give --rate, --messages, or --default.");
  }
  if (rate === undefined && burst !== undefined) throw new UserError("Give --rate with --burst.");
  const Workspaces = await import("../../lib/store/workspace.ts");
  const calls = rate === undefined ? {} : { callsPerSecond: rate, callsBurst: burst ?? 2 * rate };
  const limits = { ...calls, ...(messages !== undefined && { messagesPerDay: messages }) };
  const stored = await Workspaces.setLimits({ workspace: apiKey }, options.default ? undefined : limits);
  if (!stored) throw new UserError("The workspace was deleted meanwhile.");
  return shown(stored);
}

function shown({ callsPerSecond, callsBurst, messagesPerDay }: Limits): Output {
  const isDefault = callsPerSecond === undefined || callsBurst === undefined;
  const calls = isDefault
    ? "The workspace has the deployment's default limit of calls: its setting workspaceCallsPerSecond."
    : `The workspace may make ${callsPerSecond} calls a second, and ${callsBurst} at once.`;
  const json = { isDefault, ...(!isDefault && { rate: callsPerSecond, burst: callsBurst }) };
  if (messagesPerDay === undefined) return { json, text: calls };
  return {
    json: { ...json, messages: messagesPerDay },
    text: `${calls} It may send ${messagesPerDay} messages a day.`,
  };
}

function countOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1 to 9,999,999.");
    return Number(text);
  });
}

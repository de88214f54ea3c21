import type { Command } from "commander";
import { optionsTakenByNpm } from "../cli/npm-options.ts";
import { UserError } from "./command.ts";

/** Throws UserError when npm has taken options of the program or of a command below it. */
export function requireOptions(script: string, program: Command, args: readonly string[], env = process.env): void {
  const taken = optionsTakenByNpm({ script, args, options: optionsOf(program), env });
  if (taken) throw new UserError(taken);
}

function optionsOf(command: Command): { name: string; takesValue: boolean }[] {
  const own = command.options.map((option) => ({ name: option.name(), takesValue: !option.isBoolean() }));
  const all = [...own, ...command.commands.flatMap(optionsOf)];
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

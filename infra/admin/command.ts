// What all commands have in common.
import { type Command, InvalidArgumentError, Option } from "commander";
import { Id } from "../../lib/schema/primitives.ts";

export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  print(text: string): void;
  complain(text: string): void;
}

/** A reason not to do it that the user can do something about: its message is shown as it is, on one line. */
export class Refusal extends Error {}

export interface TargetOptions {
  data: string;
  stack?: string;
}

export interface WorkspaceOptions extends TargetOptions {
  workspace: string;
}

/** The same for programs and for people. Never a secret that the command has not just made. */
export interface Answer {
  json: object;
  text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the arguments that the command declares; commander checks them against it
type Work<Options> = (options: Options, ...declared: any[]) => Promise<Answer>;

/** Lets a command, with the options that all have, do `work`; what it answers is printed. */
export function runs<Options extends TargetOptions>(command: Command, io: Io, work: Work<Options>): void {
  command
    .option("--data <dir>", "data folder of npm start", ".data")
    .addOption(new Option("--stack <name>", "deployed stack, instead of a data folder").conflicts("data"))
    .option("--json", "print JSON on one line")
    .action(async () => {
      const options = command.opts<Options & { json?: true }>();
      const { json, text } = await work(options, ...command.processedArgs);
      io.print(`${options.json ? JSON.stringify(json) : text}\n`);
    });
}

/** As `runs`, for a command on one workspace. */
export function runsOnWorkspace<Options extends WorkspaceOptions>(command: Command, io: Io, work: Work<Options>): void {
  runs(command.requiredOption("--workspace <api-key>", "the workspace"), io, work);
}

/** A name for a workspace or a token: one line, as it appears in lists. */
export function nameOption(of: string): Option {
  return new Option("--name <name>", `name of the ${of}, for lists`).default("", "none").argParser((name) => {
    const problem = Id.safeParse(name).error?.issues[0]?.message;
    if (problem) throw new InvalidArgumentError(problem);
    return name;
  });
}

/** Rows in columns, under their headings. */
export function columns(headings: string[], rows: string[][]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

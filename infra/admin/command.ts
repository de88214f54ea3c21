// What all commands share: input and output, options, and how their action runs.
import { type Command, InvalidArgumentError, Option } from "commander";
import { Id } from "../../lib/schema/primitives.ts";
import { visibleJson, visibleLines } from "../../lib/visible.ts";

export { UserError } from "./user-error.ts";

export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  print(text: string): void;
  printError(text: string): void;
  /** Whether a person reads what `printError` prints. */
  isTerminal?: boolean;
}

export interface TargetOptions {
  data: string;
  stack?: string;
}

export interface WorkspaceOptions extends TargetOptions {
  workspace: string;
}

/** A command's result, as JSON and as text. It contains no secret except one that the command has just created. */
export interface Output {
  json: object;
  text: string;
  /** The exit status. Absent: 0. */
  status?: number;
}

/** Ends a command that has printed its output. */
export class ExitStatus extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The command ends with the status ${status}.`);
    this.status = status;
  }
}

/** `declared`: the arguments that the command declares, as commander has checked them. */
export type Action<Options> = (options: Options, ...declared: never[]) => Promise<Output>;

/** Gives a command an action. The command prints the output that the action returns. */
export function addPlainAction<Options extends object>(command: Command, io: Io, action: Action<Options>): void {
  command.option("--json", "print the result as one line of JSON").action(async () => {
    const options = command.opts<Options & { json?: true }>();
    const { json, text, status = 0 } = await action(options, ...(command.processedArgs as never[]));
    io.print(`${options.json ? visibleJson(JSON.stringify(json)) : visibleLines(text)}\n`);
    if (status !== 0) throw new ExitStatus(status);
  });
}

/** As `addPlainAction`, for a command on a data folder or a stack. */
export function addAction<Options extends TargetOptions>(command: Command, io: Io, action: Action<Options>): void {
  command
    .option("--data <dir>", "data folder of npm start", ".data")
    .addOption(new Option("--stack <name>", "name of a deployed stack, instead of a data folder").conflicts("data"));
  addPlainAction(command, io, action);
}

/** As `addAction`, for a command on one workspace. */
export function addWorkspaceAction<Options extends WorkspaceOptions>(
  command: Command,
  io: Io,
  action: Action<Options>,
): void {
  addAction(command.requiredOption("--workspace <api-key>", "API key of the workspace (required)"), io, action);
}

/** The name of a workspace or a token, which lists show. It follows the rules of ids. */
export function nameOption(of: string): Option {
  return new Option("--name <name>", `name of the ${of}, shown in lists`).default("", "none").argParser((name) => {
    const problem = Id.safeParse(name).error?.issues[0]?.message;
    if (problem) throw new InvalidArgumentError(problem);
    return name;
  });
}

/** Formats rows as aligned columns under headings. */
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

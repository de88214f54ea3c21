import { Command, CommanderError } from "commander";
import { visibleLines } from "../../lib/visible.ts";
import { StartError } from "../local/start-error.ts";
import { addAccess } from "./access.ts";
import { addActivities } from "./activities.ts";
import { addAiKey } from "./ai-key.ts";
import { awsProblem } from "./aws-problem.ts";
import { ExitStatus, type Io, UserError } from "./command.ts";
import { addJobs } from "./jobs.ts";
import { addKeys } from "./keys.ts";
import { addLimit } from "./limit.ts";
import { addMessage } from "./message.ts";
import { addSwitch } from "./switch.ts";
import { requireOptions } from "./taken-options.ts";
import { addToken } from "./token.ts";
import { addTrace } from "./trace.ts";
import { addUser } from "./user.ts";
import { addWorkspace } from "./workspace.ts";

const notes = `
The commands work on the data folder of npm start, whether the server runs or not. With --stack, they work on a deployed
stack, with the AWS credentials and the region of your environment. Changes take effect immediately, with one exception:
a server keeps what it has read about a workspace and its tokens for up to 30 seconds. So it applies a limit, and refuses
a revoked token or a deleted workspace, within that time.

For scripts: npm run --silent admin -- workspace create --json
`;

/** Runs the command that the arguments name. Returns the exit status. */
export async function admin(args: readonly string[], io: Io): Promise<number> {
  const program = new Command("npm run admin --")
    .description("Administers workspaces, auth tokens, users, settings, background jobs and activity logs.")
    .addHelpText("after", notes)
    .exitOverride()
    .configureOutput({ writeOut: io.print, writeErr: io.printError, outputError: () => {} });
  for (const add of [
    addWorkspace,
    addToken,
    addUser,
    addSwitch,
    addAccess,
    addLimit,
    addAiKey,
    addKeys,
    addJobs,
    addTrace,
    addMessage,
    addActivities,
  ])
    add(program, io);
  try {
    requireOptions("admin", program, args);
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (thrown) {
    if (thrown instanceof ExitStatus) return thrown.status;
    // Commander has printed the help, on request or because the command is incomplete.
    if (thrown instanceof CommanderError && thrown.code.startsWith("commander.help")) return thrown.exitCode;
    io.printError(`${visibleLines(errorText(thrown))}\n`);
    return 1;
  }
}

/** Returns one line for an error that the user can correct, and the stack trace for a bug. */
function errorText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const line = thrown.message.replace(/\s+/g, " ").trim();
  if (thrown instanceof CommanderError) return `${line.replace(/^error: /, "")} (${wayOutOf(thrown)})`;
  if (thrown instanceof UserError || thrown instanceof StartError) return line;
  return awsProblem(thrown) ?? thrown.stack ?? line;
}

function wayOutOf({ code, message }: CommanderError): string {
  const lacksWorkspace = code === "commander.missingMandatoryOptionValue" && message.includes("--workspace");
  return lacksWorkspace ? "`workspace list` prints the API keys. See --help." : "See --help.";
}

import { Command, CommanderError } from "commander";
import { StartError } from "../local/start-error.ts";
import { addAccess } from "./access.ts";
import { addAiKey } from "./ai-key.ts";
import { type Io, Refusal } from "./command.ts";
import { addJobs } from "./jobs.ts";
import { addSwitch } from "./switch.ts";
import { addToken } from "./token.ts";
import { addUser } from "./user.ts";
import { addWorkspace } from "./workspace.ts";

const notes = `
Works on the data folder of npm start, whether that runs or not, or with --stack on a deployed stack, with the AWS
credentials and region of your environment. Changes hold at once, except that a server accepts a revoked token for up to
30 seconds after it last checked it.

For scripts: npm run --silent admin -- workspace create --json
`;

/** Runs the command that the arguments spell; answers its exit status. */
export async function admin(args: readonly string[], io: Io): Promise<number> {
  const program = new Command("npm run admin --")
    .description("Administers workspaces, their auth tokens, users and settings, and background jobs.")
    .addHelpText("after", notes)
    .exitOverride()
    .configureOutput({ writeOut: io.print, writeErr: io.complain, outputError: () => {} });
  for (const add of [addWorkspace, addToken, addUser, addSwitch, addAccess, addAiKey, addJobs]) add(program, io);
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (thrown) {
    // Help was asked for, or shown where a command is incomplete.
    if (thrown instanceof CommanderError && thrown.code.startsWith("commander.help")) return thrown.exitCode;
    io.complain(`${complaintOf(thrown)}\n`);
    return 1;
  }
}

/** One line for what the user can do something about; all there is for a fault of ours. */
function complaintOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const line = thrown.message.replace(/\s+/g, " ").trim();
  if (thrown instanceof CommanderError) return `${line.replace(/^error: /, "")} (See --help.)`;
  if (thrown instanceof Refusal || thrown instanceof StartError) return line;
  // The SDK's failures, its own and the service's, carry these.
  if ("$metadata" in thrown) return `AWS: ${thrown.name}: ${line}`;
  return thrown.stack ?? line;
}

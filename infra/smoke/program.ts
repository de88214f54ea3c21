// `npm run smoke`: checks a service by calls to its address. Exit status 0: the service works.
import { Command, CommanderError } from "commander";
import { visibleLines } from "../../lib/visible.ts";
import { type Io, UserError } from "../admin/command.ts";
import { admin } from "../admin/program.ts";
import { serviceOrigin } from "../admin/service-origin.ts";
import { requireOptions } from "../admin/taken-options.ts";
import { outputsOf } from "../admin/target.ts";
import { type Check, Skipped } from "./call.ts";
import { checks } from "./checks.ts";
import type { Target } from "./request.ts";

interface Options {
  url?: string;
  stack?: string;
}

const notes = `
Keys: SMOKE_API_KEY and SMOKE_AUTH_TOKEN of the environment, best of a workspace that only the test uses. The token needs
all scopes, since the test reads, writes and configures a webhook endpoint. The workspace needs the switch browser, since
the test calls as a user, and the switch live, or the check of live messages is skipped. Without keys, --stack makes a
workspace for the test and deletes it, with the AWS credentials and the region of your environment.
`;

/** Runs the checks. Returns the exit status. */
export async function smoke(args: readonly string[], io: Io, all: readonly Check[] = checks): Promise<number> {
  const program = new Command("npm run smoke --")
    .description("Checks a service by calls to its address: after each deployment, or the local server.")
    .option("--url <url>", "address of the service")
    .option("--stack <name>", "name of a deployed stack, whose address is called unless --url is given")
    .addHelpText("after", notes)
    .exitOverride()
    .configureOutput({ writeOut: io.print, writeErr: io.printError, outputError: () => {} });
  try {
    requireOptions("smoke", program, args);
    const options = program.parse(args, { from: "user" }).opts<Options>();
    const url = await urlOf(options);
    return await withKeys(options, io, async (keys) => {
      const failed = await failuresOf(all, { url, ...keys }, io);
      io.print(failed === 0 ? `The service at ${url} works.\n` : `${failed} of ${all.length} checks failed.\n`);
      return failed === 0 ? 0 : 1;
    });
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.code.startsWith("commander.help")) return thrown.exitCode;
    if (!(thrown instanceof UserError || thrown instanceof CommanderError)) throw thrown;
    io.printError(`${thrown.message.replace(/^error: /, "")}\n`);
    return 1;
  }
}

async function failuresOf(all: readonly Check[], target: Target, io: Io): Promise<number> {
  let failed = 0;
  for (const { name, run } of all) {
    const [word, reason] = await run(target).then(
      () => ["ok"],
      (thrown: Error) => [thrown instanceof Skipped ? "skipped" : "FAILED", thrown.message],
    );
    if (word === "FAILED") failed += 1;
    io.print(`${word?.padEnd(7)} ${name}\n${reason ? `  ${visibleLines(reason)}\n` : ""}`);
  }
  return failed;
}

async function urlOf({ url, stack }: Options): Promise<string> {
  const given = url ?? (stack === undefined ? undefined : (await outputsOf(stack))("ApiUrl"));
  if (given === undefined) throw new UserError("Name the service with --url or --stack. (See --help.)");
  return serviceOrigin(given);
}

type Keys = Pick<Target, "apiKey" | "authToken">;

async function withKeys({ stack }: Options, io: Io, work: (keys: Keys) => Promise<number>): Promise<number> {
  const { SMOKE_API_KEY: apiKey, SMOKE_AUTH_TOKEN: authToken } = process.env;
  if (apiKey && authToken) return work({ apiKey, authToken });
  if (apiKey || authToken) throw new UserError("Set both SMOKE_API_KEY and SMOKE_AUTH_TOKEN, or neither.");
  if (stack === undefined) {
    throw new UserError("Set SMOKE_API_KEY and SMOKE_AUTH_TOKEN, or name the deployed stack with --stack.");
  }
  const made = JSON.parse(await administer(["workspace", "create", "--name", "smoke test"], stack, io)) as Keys;
  try {
    for (const name of ["browser", "live"]) {
      await administer(["switch", "set", name, "on", "--workspace", made.apiKey], stack, io);
    }
    return await work(made);
  } finally {
    await administer(["workspace", "delete", "--workspace", made.apiKey, "--yes"], stack, io);
  }
}

/** Runs an administration command on the stack. Returns what it prints. */
async function administer(args: readonly string[], stack: string, io: Io): Promise<string> {
  let printed = "";
  let problem = "";
  const print = (text: string) => {
    printed += text;
  };
  const printError = (text: string) => {
    problem += text;
  };
  const status = await admin([...args, "--stack", stack, "--json"], { stdin: io.stdin, print, printError });
  if (status !== 0) throw new UserError(problem.trim());
  return printed;
}

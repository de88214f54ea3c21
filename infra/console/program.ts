// `npm run console`: the console of a service that runs elsewhere. The keys stay in this process.
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { scopes } from "../../lib/schema/scopes.ts";
import { visible } from "../../lib/visible.ts";
import { awsProblem } from "../admin/aws-problem.ts";
import { type Io, UserError } from "../admin/command.ts";
import { serviceOrigin } from "../admin/service-origin.ts";
import { requireOptions } from "../admin/taken-options.ts";
import { outputsOf, withTarget, withWorkspace } from "../admin/target.ts";
import { quoted } from "../cli/quoted.ts";
import { StartError } from "../local/start-error.ts";
import { environmentKeys, type Keys, readKeys, withToken } from "./server/keys.ts";
import type { Operations } from "./server/operations.ts";
import { scopesOf } from "./server/scopes.ts";
import { serveConsole } from "./server/serve.ts";
import { createSession } from "./server/session.ts";
import { type Terminal, terminalOf } from "./server/terminal.ts";

interface Options {
  url?: string;
  stack?: string;
  workspace?: string;
  port: number;
}

const notes = `
Keys: API_KEY and AUTH_TOKEN of the environment, or both on standard input, as two lines or as JSON. They stay in this
process, and never reach the browser. A token without all scopes shows less.

With --stack and --workspace, no keys are needed: the command makes an auth token, with the AWS credentials and the region
of your environment, and revokes it at its end. With --stack, the console also shows jobs and settings.

  API_KEY=… AUTH_TOKEN=… npm run console -- --url https://api.example.com
  npm run console -- --stack collaboration-backend --workspace ws_…
`;

/** Serves the console until `stopped` resolves. Returns the exit status. */
export async function consoleProgram(args: readonly string[], given: Io, stopped: Promise<void>): Promise<number> {
  const io = terminalOf(given);
  const program = new Command("npm run console --")
    .description("Serves the console of a service on this machine, for the browser of this machine only.")
    .option("--url <url>", "address of the service")
    .option("--stack <name>", "name of a deployed stack, whose address is called unless --url is given")
    .addOption(new Option("--workspace <api-key>", "workspace of the stack, instead of keys"))
    .addOption(new Option("--port <n>", "port to listen on; 0 selects a free port").default(8788).argParser(portOf))
    .addHelpText("after", notes)
    .exitOverride()
    .configureOutput({ writeOut: io.print, writeErr: io.printError, outputError: () => {} });
  try {
    requireOptions("console", program, args);
    const options = program.parse(args, { from: "user" }).opts<Options>();
    await run(options, io, stopped);
    return 0;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.code.startsWith("commander.help")) return thrown.exitCode;
    const message = isOfUser(thrown) ? thrown.message.replace(/^error: /, "") : awsProblem(thrown);
    if (message === undefined) throw thrown;
    io.printError(`${visible(message.replace(/\s+/g, " ").trim())}\n`);
    return 1;
  }
}

const isOfUser = (thrown: unknown): thrown is Error =>
  thrown instanceof UserError || thrown instanceof StartError || thrown instanceof CommanderError;

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("It must be from 0 to 65535.");
  return Number(text);
}

async function run({ url, stack, workspace, port }: Options, io: Terminal, stopped: Promise<void>): Promise<void> {
  if (stack === undefined) {
    if (url === undefined) throw new UserError("Name the service with --url or --stack. (See --help.)");
    if (workspace !== undefined) throw new UserError("--workspace has no effect without --stack.");
    const served = { mode: "url", api: serviceOrigin(url), keys: await readKeys(io), operations: {} } as const;
    return serveUntil(served, port, io, stopped);
  }
  const api = serviceOrigin(url ?? (await outputsOf(stack))("ApiUrl"));
  // The environment names the stack's table until the console ends.
  const named = { data: "", stack };
  const serve = (keys: Keys) =>
    serveUntil({ mode: "stack", api, keys, operations: stackOperations(stack, keys) }, port, io, stopped);
  if (workspace === undefined) return withTarget(named, async () => serve(await readKeys(io)));
  if (environmentKeys().authToken) throw new UserError("--workspace has no effect with AUTH_TOKEN. Leave one out.");
  return withWorkspace({ ...named, workspace }, (found) => withToken(found, serve));
}

/** What AWS knows of a stack. Its mails are not stored: messages/get shows what became of them. */
function stackOperations(stack: string, { apiKey }: Keys): Operations {
  return {
    jobs: {
      place: `--stack ${quoted(stack)}`,
      list: async (state) => (await import("./server/operations/jobs.ts")).listJobs(apiKey, state),
      retry: async (id) => (await import("./server/operations/jobs.ts")).retryJob(apiKey, id),
    },
    settings: async () => (await import("./server/operations/settings.ts")).stackSettings(stack),
  };
}

interface Served {
  mode: "url" | "stack";
  api: string;
  keys: Keys;
  operations: Operations;
}

async function serveUntil(served: Served, port: number, io: Terminal, stopped: Promise<void>): Promise<void> {
  const { mode, api, keys, operations } = served;
  io.hide([keys.apiKey, keys.authToken]);
  const own = await scopesOf(api, keys);
  const session = createSession();
  const { url, close } = await serveConsole({
    mode,
    port,
    target: Promise.resolve({ api, ...keys, scopes: own }),
    session,
    operations,
    notice: (line) => io.print(`${line}\n`),
    onError: (thrown) => io.printError(`${(thrown as Error).stack ?? thrown}\n`),
  });
  const missing = scopes.filter((scope) => !own.includes(scope));
  const limited = missing.length === 0 ? "" : `The auth token lacks the scopes: ${missing.join(", ")}.\n`;
  io.print(
    `Service     ${api}\nConsole     ${session.address(url)}\n${limited}The address works once. Ctrl-C ends the console.\n`,
  );
  await stopped;
  await close();
}

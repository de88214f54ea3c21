// The service as a process. It prints its first line before it imports anything large.
import { inspect } from "node:util";
import { visible, visibleLines } from "../../lib/visible.ts";
import type { Demo } from "./demo.ts";
import { help, readOptions } from "./options.ts";
import { readyJson, readyText } from "./ready-text.ts";
import { StartError } from "./start-error.ts";
import { whenToStop } from "./stop.ts";
import { callLines, onEnter, visibleJsonLines } from "./terminal.ts";

// Functions log to standard output, as Lambda expects. Here it carries only URL and keys; logs go to standard error.
const print = process.stdout.write.bind(process.stdout);
const printError = process.stderr.write.bind(process.stderr);
process.stdout.write = printError;

// Before the first output, so that a signal or a closed output during the start still closes everything.
const stopped = whenToStop(process.env);

async function main(): Promise<void> {
  const {
    port,
    data,
    json,
    "demo-ai": demoAi,
    "strict-egress": strictEgress,
    hardSeed,
    example,
    ...more
  } = readOptions(process.argv.slice(2), process.env);
  if (more.help) {
    print(help);
    return;
  }
  const printNote = (line: string) => void (json ? printError : print)(`${visible(line)}\n`);
  printNote(`Starting the service with the data folder ${data}…`);
  const isTerminal = process.stderr.isTTY;
  const toTerminal = (text: string) => printError(text);
  const lines = isTerminal && !json ? callLines(toTerminal, process.stderr.hasColors()) : undefined;
  const write = lines?.write ?? (isTerminal ? visibleJsonLines(toTerminal) : undefined);
  if (write) process.stdout.write = write as typeof process.stdout.write;
  const { startServer } = await import("./server.ts");
  const server = await startServer({
    port: Number(port),
    dir: data,
    demoAi,
    strictEgress,
    hardSeed,
    example,
    onCall: lines?.onCall,
    onMessage: (path) => printNote(`Message     ${path}`),
    onNotice: printNote,
    onError: printThrown,
  });
  const ready = { ...server, hardSeed };
  const printReady = () => void print(json ? readyJson(ready) : readyText(ready, { demoAi }));
  printReady();
  if (lines && onEnter(printReady)) print("Enter prints this again, and Ctrl-C stops the service.\n");
  const filled = example ? addExample({ ...server.demo, url: server.url }, printNote) : Promise.resolve();
  try {
    // A failure of the example ends the server.
    await Promise.race([stopped, filled.then(() => stopped)]);
  } finally {
    await server.close();
  }
  process.exit(0);
}

async function addExample(service: Demo & { url: string }, printNote: (text: string) => void): Promise<void> {
  const { addExampleData } = await import("./example-data.ts");
  const isNew = await addExampleData(service);
  const state = isNew ? "is added" : "exists already";
  printNote(`Example     the organization acme ${state}: in the console, Documents, Acme, Plans, Launch plan`);
  printNote(`Demo        ${service.url}/demo?user=alice and, in another window, ${service.url}/demo?user=bob`);
}

/** The message of an error can have text of a client. */
function printThrown(thrown: unknown): void {
  printError(`${visibleLines(isForUser(thrown) ? thrown.message : inspect(thrown))}\n`);
}

/** The error of a file names the file and says what is wrong with it. */
const isForUser = (thrown: unknown): thrown is Error =>
  thrown instanceof StartError || (thrown instanceof Error && "path" in thrown && "syscall" in thrown);

try {
  await main();
} catch (thrown) {
  printThrown(thrown);
  process.exit(1);
}

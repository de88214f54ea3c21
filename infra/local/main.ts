// The entry point of `npm start`.
import { parseArgs } from "node:util";
import { curlCommands, type Demo } from "./demo.ts";
import { parseSeed, randomSeed } from "./hard/seed.ts";
import { StartError } from "./start-error.ts";

const help = `Usage: npm start -- [options]

Runs the whole service on this machine.

Options:
  --port N         port to listen on; 0 selects a free port (default: 8787)
  --data DIR       data folder, created if missing (default: .data)
  --json           print one line of JSON when ready: {"url","apiKey","authToken","readToken","console","pid"}
  --demo-ai        return canned AI replies without calling a vendor
  --strict-egress  block outbound requests to this machine, as a deployment does
  --hard           make DynamoDB and SQS as hard as AWS: conflicts, throttling, lost replies, failed and repeated messages
  --seed N         repeat the decisions of an earlier --hard (default: random)
  --help           display this help
`;

// Functions log to standard output, as Lambda expects. Here it carries only URL and keys; logs go to standard error.
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

function readOptions() {
  const options = {
    port: { type: "string", default: "8787" },
    data: { type: "string", default: ".data" },
    json: { type: "boolean", default: false },
    "demo-ai": { type: "boolean", default: false },
    "strict-egress": { type: "boolean", default: false },
    hard: { type: "boolean", default: false },
    seed: { type: "string" },
    help: { type: "boolean", default: false },
  } as const;
  try {
    const { values } = parseArgs({ options });
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
      throw new StartError(`--port must be a whole number from 0 to 65535, not ${values.port}.`);
    }
    return { ...values, hardSeed: hardSeed(values) };
  } catch (thrown) {
    if (thrown instanceof TypeError) throw new StartError(`${thrown.message} (See --help.)`, { cause: thrown });
    throw thrown;
  }
}

/** The seed if `--hard` is set. */
function hardSeed({ hard, seed }: { hard: boolean; seed?: string | undefined }): number | undefined {
  if (!hard && seed !== undefined) throw new StartError("--seed has no effect without --hard.");
  return hard ? parseSeed(seed ?? randomSeed(), "--seed") : undefined;
}

interface Ready {
  url: string;
  demo: Demo;
  console: string;
  hardSeed: number | undefined;
}

function write({ url, demo, console, hardSeed: seed }: Ready, asJson: boolean): void {
  if (asJson) {
    print(`${JSON.stringify({ url, ...demo, console, pid: process.pid, seed })}\n`);
    return;
  }
  if (seed !== undefined) print(`Seed        ${seed}\n`);
  const { apiKey, authToken, readToken } = demo;
  print(
    `URL         ${url}\nAPI key     ${apiKey}\nAuth token  ${authToken}\nRead token  ${readToken}\nConsole     ${console}\n`,
  );
  print(`\n${curlCommands(url, demo).join("\n\n")}\n`);
}

async function main(): Promise<void> {
  const {
    port,
    data,
    json,
    help: wantsHelp,
    "demo-ai": demoAi,
    "strict-egress": strictEgress,
    hardSeed,
  } = readOptions();
  if (wantsHelp) {
    print(help);
    return;
  }
  // Registered before the start, so that a signal during the start still closes everything.
  const stopSignal = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, resolve);
  });
  const { startServer } = await import("./server.ts");
  const onError = (thrown: unknown) => console.error(thrown);
  const onBuild = (functions: number) => {
    if (!json) print(`Building ${functions} functions…\n`);
  };
  const printNote = json ? process.stderr.write.bind(process.stderr) : print;
  const onMessage = (path: string) => void printNote(`Message     ${path}\n`);
  const onNotice = (line: string) => void printNote(`${line}\n`);
  const options = {
    port: Number(port),
    dir: data,
    demoAi,
    strictEgress,
    hardSeed,
    onBuild,
    onMessage,
    onNotice,
    onError,
  };
  const server = await startServer(options);
  write({ ...server, hardSeed }, json);
  await stopSignal;
  await server.close();
  process.exit(0);
}

try {
  await main();
} catch (thrown) {
  console.error(thrown instanceof StartError ? thrown.message : thrown);
  process.exit(1);
}

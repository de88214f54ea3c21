// `npm start`
import { parseArgs } from "node:util";
import { curlLine, type Demo } from "./demo.ts";
import { StartError } from "./start-error.ts";

const help = `Usage: npm start -- [options]

Runs the whole service on this machine.

  --port N         port to listen on, 0 for any free one (default 8787)
  --data DIR       folder that keeps the data (default .data)
  --json           print one JSON line when ready: {"url","apiKey","authToken","pid"}
  --demo-ai        play the vendors of language models: their endpoints answer, with canned texts
  --strict-egress  forbid outbound calls to this machine, as in a deployment
  --help           show this
`;

// Functions log to standard output, as Lambda wants it; here that is for the addresses alone.
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

function readOptions() {
  const options = {
    port: { type: "string", default: "8787" },
    data: { type: "string", default: ".data" },
    json: { type: "boolean", default: false },
    "demo-ai": { type: "boolean", default: false },
    "strict-egress": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  } as const;
  try {
    const { values } = parseArgs({ options });
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
      throw new StartError(`--port must be 0 to 65535, not ${values.port}.`);
    }
    return values;
  } catch (thrown) {
    if (thrown instanceof TypeError) throw new StartError(`${thrown.message} See --help.`, { cause: thrown });
    throw thrown;
  }
}

function write({ url, demo }: { url: string; demo: Demo }, asJson: boolean): void {
  if (asJson) {
    print(`${JSON.stringify({ url, ...demo, pid: process.pid })}\n`);
    return;
  }
  print(`Address     ${url}\nAPI key     ${demo.apiKey}\nAuth token  ${demo.authToken}\n\n${curlLine(url, demo)}\n`);
}

async function main(): Promise<void> {
  const { port, data, json, help: wantsHelp, "demo-ai": demoAi, "strict-egress": strictEgress } = readOptions();
  if (wantsHelp) {
    print(help);
    return;
  }
  // From the very start: a signal before everything runs must not leave half of it behind.
  const stopped = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, resolve);
  });
  const { startServer } = await import("./server.ts");
  const onError = (thrown: unknown) => console.error(thrown);
  const options = { port: Number(port), dir: data, demoAi, strictEgress, onError };
  const server = await startServer(options);
  write(server, json);
  await stopped;
  await server.close();
  process.exit(0);
}

try {
  await main();
} catch (thrown) {
  console.error(thrown instanceof StartError ? thrown.message : thrown);
  process.exit(1);
}

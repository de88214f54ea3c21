// The options of `npm start`.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { optionsTakenByNpm } from "../cli/npm-options.ts";
import { StartError } from "./start-error.ts";

export const help = `Usage: npm start -- [options]

Runs the whole service on this machine.

Options:
  --port N         port to listen on; 0 selects a free port (default: 8787)
  --data DIR       data folder, created if missing (default: .data)
  --json           print one line of JSON when ready: {"url","apiKey","authToken","readToken","console","pid"}
  --example        add an example team with documents and comments, and a live document at /demo
  --demo-ai        return canned AI replies without calling a vendor
  --strict-egress  block outbound requests to this machine, as a deployment does
  --hard           make DynamoDB, SQS and AppSync Events as hard as AWS: conflicts, throttling, lost replies and messages
  --seed N         repeat the decisions of an earlier --hard (default: random)
  --help           display this help

On a terminal, each call is one short line, and Enter prints addresses and keys again. Without a terminal or with --json,
standard error has one line of JSON for each call. The data folder keeps these lines in both cases. NO_COLOR=1 removes
colours.
`;

const options = {
  port: { type: "string", default: "8787" },
  data: { type: "string", default: ".data" },
  json: { type: "boolean", default: false },
  example: { type: "boolean", default: false },
  "demo-ai": { type: "boolean", default: false },
  "strict-egress": { type: "boolean", default: false },
  hard: { type: "boolean", default: false },
  seed: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

/** Reads the arguments. Throws StartError, which says what to write instead. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv) {
  const named = Object.entries(options).map(([name, { type }]) => ({ name, takesValue: type === "string" }));
  const taken = optionsTakenByNpm({ script: "start", args, options: named, env });
  if (taken) throw new StartError(taken);
  try {
    const { values } = parseArgs({ args: [...args], options });
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
      throw new StartError(`--port must be a whole number from 0 to 65535, not ${values.port}.`);
    }
    if (values.data === "") throw new StartError("--data must name a folder.");
    if (values["demo-ai"] && values["strict-egress"]) {
      throw new StartError("--demo-ai does not work with --strict-egress: its replies come from this machine.");
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

/** Nine digits: short enough to type. */
const seedMax = 999_999_999;

function randomSeed(): string {
  return String(randomInt(1, seedMax + 1));
}

/** `name` tells in the error where the seed was set. */
function parseSeed(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StartError(`${name} must be a whole number from 0 to ${seedMax}, not ${text}.`);
}

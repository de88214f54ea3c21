// `npm run fuzz` for half a minute, and again with four times as many disturbances. A seed repeats the requests of each
// client. It does not repeat the order in which the requests of several clients arrive.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { seedFrom } from "../support/long.ts";

const script = fileURLToPath(new URL("run.ts", import.meta.url));

it.each([
  ["the usual rates", []],
  ["raised rates", ["--raised"]],
])(
  "at %s, random calls of eight clients and a killed server contradict neither the contract nor the model",
  async (_, options) => {
    const args = [script, "--seconds", "30", "--seed", `${seedFrom(1)}`, ...options];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).catch(
      (failure: { stdout?: string; stderr?: string }) => {
        throw new Error(`${failure.stdout}\n${failure.stderr}`);
      },
    );
    expect(stdout).toContain("0 findings");
  },
);

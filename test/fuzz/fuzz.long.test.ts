// `npm run fuzz` for half a minute, and for another with four times as many disturbances. The clients and the server run
// at once, so a seed repeats the requests, and not always their order.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { seedFrom } from "../support/long.ts";

const script = fileURLToPath(new URL("run.ts", import.meta.url));

it.each([[[]], [["--raised"]]])(
  "random calls of eight clients, and a killed server, contradict neither the contract nor the model %j",
  async (options) => {
    const args = [script, "--seconds", "30", "--seed", `${seedFrom(1)}`, ...options];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).catch(
      (failure: { stdout?: string; stderr?: string }) => {
        throw new Error(`${failure.stdout}\n${failure.stderr}`);
      },
    );
    expect(stdout).toContain("0 findings");
  },
);

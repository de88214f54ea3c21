// Half a minute of `npm run fuzz`, with another seed each time.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("run.ts", import.meta.url));
/** Beside other tests, the starts of the server alone can take minutes. */
const timeoutMs = 600_000;

it("random calls of eight clients, and a killed server, contradict neither the contract nor the model", {
  timeout: timeoutMs,
}, async () => {
  const run = promisify(execFile)(process.execPath, [script, "--seconds", "30"], { maxBuffer: 2 ** 26 });
  const { stdout } = await run.catch((failure: { stdout?: string; stderr?: string }) => {
    throw new Error(`${failure.stdout}\n${failure.stderr}`);
  });
  expect(stdout).toContain("0 findings");
});

// Commands whose reader has gone, or whose output cannot be written. They run in a real shell.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { serve } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";
import { root } from "../../support/sources.ts";

function shell(command: string, env: NodeJS.ProcessEnv = {}) {
  const { status, stderr } = spawnSync("bash", ["-c", `set -o pipefail; ${command}`], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout: 300_000,
  });
  return { status, stderr };
}

// The reader ends before the command prints.
describe("a command whose reader has gone ends without a trace", () => {
  test.each(["admin", "console", "guard", "smoke"])("%s", (name) => {
    expect(shell(`"${process.execPath}" infra/${name}.ts --help | true`)).toEqual({ status: 0, stderr: "" });
  });

  test("and its exit code is still true", () => {
    const { status, stderr } = shell(`"${process.execPath}" infra/admin.ts jobs nonsense | true`);
    expect(status).toBe(1);
    expect(stderr).toContain("nonsense");
  });
});

test("the console ends when nobody reads the credentials that it prints", async () => {
  const { ready } = await serve(temporaryFolder());
  const keys = { API_KEY: ready.apiKey, AUTH_TOKEN: ready.authToken };
  const command = `"${process.execPath}" infra/console.ts --url ${ready.url} --port 0 | true`;
  expect(shell(command, keys)).toEqual({ status: 0, stderr: "" });
});

test.skipIf(!existsSync("/dev/full")).each(["admin", "console", "guard", "smoke"])(
  "%s, which cannot write its output, says so and fails",
  (name) => {
    const { status, stderr } = shell(`"${process.execPath}" infra/${name}.ts --help > /dev/full`);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^The output cannot be written: .+\n$/),
    });
  },
);

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/local/start.ts";
import { root } from "../../support/sources.ts";

// A command on a data folder changes the environment of its process.
const adminFile = join(root, "infra/admin.ts");

it("does not wait on a data folder without a server, which runs the jobs", async () => {
  const folder = join(temporaryFolder(), "my data");
  const command = (...args: string[]) => spawnSync(process.execPath, [adminFile, ...args, "--data", folder]);
  const { apiKey } = JSON.parse(String(command("workspace", "create", "--json").stdout));
  const { status, stderr } = command("workspace", "delete", "--workspace", apiKey, "--yes", "--wait");
  expect(status).toBe(1);
  // The workspace is deleted, so the text comes before the wait.
  const [, place] =
    /To follow it: npm run admin -- jobs wait [\w-]+ (.*)\npurge job: waiting/.exec(String(stderr)) ?? [];
  expect(place).toBe(`--data '${folder}'`);
  expect(String(stderr)).toContain("nothing runs the job. It runs after `npm start`.");
});

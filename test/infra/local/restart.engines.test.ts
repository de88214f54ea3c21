import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { post, run, stopped, whenReady } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";
import { root } from "../../support/sources.ts";

/** A copy of the project, whose sources the test can edit. */
function projectCopy(): string {
  const copy = temporaryFolder();
  for (const name of ["functions", "lib", "infra", "package.json", "tsconfig.json"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

test("npm start runs an edited source at the same address, and a broken one once it is mended", async () => {
  const copy = projectCopy();
  const path = join(copy, "functions/organizations/organizations-get.ts");
  const text = readFileSync(path, "utf8");
  const message = /message: "(.+)"/.exec(text)?.[1] ?? "";
  const args = ["--port", String(await freePort()), "--data", temporaryFolder(), "--json"];
  const server = await whenReady(run(args, {}, join(copy, "infra/local/start.ts")));
  let log = "";
  server.process.stderr?.on("data", (part) => {
    log += part;
  });
  const reply = async () => {
    const body = await post(server, { path: "/v2/organizations/get" }, {}).catch(() => undefined);
    return body?.result?.message;
  };
  expect(await reply()).toBe(message);
  writeFileSync(path, text.replace(message, "Edited."));
  await expect.poll(reply).toBe("Edited.");
  writeFileSync(path, "not a program");
  await expect.poll(() => log).toContain("organizations-get.ts");
  writeFileSync(path, text);
  await expect.poll(reply).toBe(message);
  expect(await stopped(server, "SIGTERM")).toBe(0);
});

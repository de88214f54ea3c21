import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keysLineOf } from "../../../../infra/console/server/keys-line.ts";
import { keys } from "../../../support/console/site.ts";
import { temporaryFolder } from "../../../support/local/start.ts";

const inShell = (line: string, input = "") =>
  execFileSync("bash", ["-c", `${line}\nprintenv API_KEY AUTH_TOKEN`], { input, encoding: "utf8" });

test("the line reads the keys of a data folder, whatever its name is, and has none of them", () => {
  const folder = join(temporaryFolder(), `it's $HOME "here"`);
  mkdirSync(folder);
  writeFileSync(join(folder, "demo.json"), JSON.stringify(keys));
  const { line } = keysLineOf({ keysFile: join(folder, "demo.json") });
  expect(inShell(line)).toBe(`${keys.apiKey}\n${keys.authToken}\n`);
  expect(line).not.toContain(keys.apiKey);
  expect(line).not.toMatch(/\n/);
});

test("without a data folder, the line reads the keys from what is typed", () => {
  const { line } = keysLineOf({});
  expect(inShell(line, `${keys.apiKey}\n${keys.authToken}\n`)).toBe(`${keys.apiKey}\n${keys.authToken}\n`);
});

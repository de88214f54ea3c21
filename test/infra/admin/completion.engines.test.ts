// The scripts run in real shells.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorLine, run } from "../../support/admin.ts";
import { temporaryFolder } from "../../support/local/start.ts";

const cases: [line: string, words: string[]][] = [
  ["admin jo", ["jobs"]],
  ["admin jobs ", ["list", "retry", "show", "wait"]],
  ["admin jobs list --state ", ["failed", "running", "waiting"]],
  ["admin ai-key remove --vendor ", ["anthropic", "gemini", "openai"]],
  ["admin jobs list --workspace ws_1 --data .data --state f", ["failed"]],
  ["admin access set restricted --stack s pub", ["public"]],
  ["admin workspace create --name ", []],
];

/** In a folder with the file \`my log.jsonl\` and the folder \`logs\`. */
const fileCases: [line: string, names: string[]][] = [
  ["admin workspace list --data lo", ["logs"]],
  ["admin activities verify my", ["my log.jsonl"]],
  ["admin jobs list --state lo", []],
];

async function script(shell: string): Promise<string> {
  const { status, stdout } = await run(["completion", shell]);
  expect(status).toBe(0);
  const file = join(temporaryFolder(), `admin.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .filter((word) => word !== "" && !word.startsWith("--"))
    .sort();

function filesFolder(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "my log.jsonl"), "");
  mkdirSync(join(folder, "logs"));
  return folder;
}

describe("admin completes", () => {
  it.each(cases)("%s in bash", async (line, words) => {
    const typed = line.split(" ").map((word) => `"${word}"`);
    const complete = `COMP_WORDS=(${typed.join(" ")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _admin`;
    const source = `source ${await script("bash")}; ${complete}; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(lines(execFileSync("bash", ["--norc", "-c", source], { encoding: "utf8" }))).toEqual(words);
  });

  it("an option, where it begins with a dash", async () => {
    const complete = "COMP_WORDS=(admin jobs list --st); COMP_CWORD=3; _admin";
    const source = `source ${await script("bash")}; ${complete}; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync("bash", ["--norc", "-c", source], { encoding: "utf8" })).toBe("--state --stack\n");
  });

  it.each(fileCases)("%s in bash, with names of files", async (line, names) => {
    const words = line.split(" ").map((word) => `"${word}"`);
    const complete = `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _admin`;
    const source = `source ${await script("bash")}; ${complete}; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(lines(execFileSync("bash", ["--norc", "-c", source], { encoding: "utf8", cwd: filesFolder() }))).toEqual(
      names,
    );
  });

  const hasFish = spawnSync("fish", ["--version"]).status === 0;
  it.skipIf(!hasFish).each(cases)("%s in fish", async (line, words) => {
    const source = `source ${await script("fish")}; complete -C ${JSON.stringify(line)}`;
    expect(lines(execFileSync("fish", ["--no-config", "-c", source], { encoding: "utf8" }))).toEqual(words);
  });

  it.skipIf(!hasFish).each(fileCases)("%s in fish, with names of files", async (line, names) => {
    const source = `source ${await script("fish")}; complete -C ${JSON.stringify(line)}`;
    const output = execFileSync("fish", ["--no-config", "-c", source], { encoding: "utf8", cwd: filesFolder() });
    expect(lines(output.replace(/[/\t].*$/gm, ""))).toEqual(names);
  });

  const hasZsh = spawnSync("zsh", ["--version"]).status === 0;
  it.skipIf(!hasZsh)("has a script without an error for zsh", async () => {
    for (const before of ["autoload -Uz compinit && compinit -u -D; ", ""]) {
      const source = `${before}source ${await script("zsh")}; print $+_comps[admin]`;
      expect(execFileSync("zsh", ["-f", "-c", source], { encoding: "utf8" }).trim()).toBe("1");
    }
  });

  it("in each folder: the function runs the command of the service", async () => {
    const source = `source ${await script("bash")}; admin completion csh`;
    const { stderr } = spawnSync("bash", ["--norc", "-c", source], { encoding: "utf8", cwd: temporaryFolder() });
    expect(stderr).toContain("Allowed choices are bash, zsh, fish");
  });

  it("in no other shell", async () => {
    expect(await errorLine(["completion", "csh"])).toContain("bash, zsh, fish");
  });
});

// Which exact tests run a source file. One run of all of them records it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { root } from "../support/sources.ts";

const record = `${root}node_modules/.cache/mutate/reach.jsonl`;

/** Returns for a source file the test files that run it: first its own, then those that run the fewest sources. */
export function testsThatRun(): (file: string) => string[] {
  if (!existsSync(record)) recordAll();
  const lines = readFileSync(record, "utf8").trim().split("\n");
  const tests = lines
    .map((line) => JSON.parse(line) as [test: string, sources: string[]])
    .filter(([test]) => existsSync(root + test))
    .sort(([, one], [, other]) => one.length - other.length);
  return (file) => {
    const reaching = tests.filter(([, sources]) => sources.includes(file)).map(([test]) => test);
    const own = `test/${file.replace(/\.tsx?$/, "")}`;
    return [...reaching.filter((test) => test.startsWith(own)), ...reaching.filter((test) => !test.startsWith(own))];
  };
}

function recordAll(): void {
  console.log("Which tests run which sources is recorded: all exact tests run once.");
  mkdirSync(dirname(record), { recursive: true });
  const env = { ...process.env, REACH_FILE: record };
  spawnSync("npx", ["vitest", "run", "--config", "test/vitest.config.ts", "--project", "exact*"], { cwd: root, env });
}

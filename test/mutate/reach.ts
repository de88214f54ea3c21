// Which exact tests run a source file. One run of all of them records it, and again when a file of the project changes.
import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { root, sources } from "../support/sources.ts";

export const folder = `${root}node_modules/.cache/mutate`;

/**
 * Returns for a source file the test files that run it: first its own, then those that run the fewest sources. All, when
 * none runs a function of the file: it may have only values, which are made when it is imported.
 */
export function testsThatRun(): (file: string) => string[] {
  const tests = recorded()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as [test: string, sources: string[]])
    .sort(([, one], [, other]) => one.length - other.length);
  return (file) => {
    const reaching = tests.filter(([, run]) => run.includes(file));
    const names = (reaching.length > 0 ? reaching : tests).map(([test]) => test);
    const own = `test/${file.replace(/\.tsx?$/, "")}`;
    // Grants are values, and texts are read: without a run of a function of the file.
    const ofGrants = file.startsWith("functions/") ? ["test/infra/grants.test.ts"] : [];
    return [
      ...ofGrants,
      ...ofTexts,
      ...names.filter((test) => test.startsWith(own)),
      ...names.filter((test) => !test.startsWith(own)),
    ];
  };
}

/** The tests that read all sources as texts: conditions of writes, and promises that nobody awaits. */
const ofTexts = ["test/lib/dynamodb/unconditional-writes.test.ts", "test/held-promises.test.ts"];

/** The record of the present files. Throws when an exact test fails: then no change could be judged. */
function recorded(): string {
  const files = sources("functions", "lib", "infra", "test").map(({ file, text }) => [file, text]);
  const record = `${folder}/${hash("sha256", JSON.stringify(files)).slice(0, 16)}.jsonl`;
  if (existsSync(record)) return readFileSync(record, "utf8");
  console.log("All exact tests run once, to record which sources each runs.");
  mkdirSync(folder, { recursive: true });
  const draft = `${folder}/draft.jsonl`;
  rmSync(draft, { force: true });
  const args = ["vitest", "run", "--config", "test/vitest.config.ts", "--project", "exact*"];
  const env = { ...process.env, REACH_FILE: draft };
  if (spawnSync("npx", args, { cwd: root, env, stdio: "ignore" }).status !== 0)
    throw new Error("An exact test fails without a mutation. Run `npm test`.");
  renameSync(draft, record);
  return readFileSync(record, "utf8");
}

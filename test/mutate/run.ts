// Changes the sources in one place at a time, and counts which changes no exact test sees.
// npm run mutate -- --seed 1 --count 120 [--from 1] [--engines] [--json FILE]
// --engines: then the tests of engines run too, for several minutes for each change that the exact ones have not seen.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { root } from "../support/sources.ts";
import { folder, testsThatRun } from "./reach.ts";
import { choose, type Mutation } from "./sites.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "120" },
    from: { type: "string", default: "1" },
    engines: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

interface Result extends Mutation {
  number: number;
  /** The file of a test that failed, `types`, or nothing. */
  caughtBy: string | undefined;
  seconds: number;
}

/** The nearest tests see most changes. Each further run has more files, since a run takes seconds to start. */
const firstFiles = 6;
const growth = 4;
const reportFile = `${folder}/report.json`;
const testsOf = testsThatRun();

// The signal ends the running tests, then `ran` throws, and the changed file is restored.
process.on("SIGINT", () => {});

const results: Result[] = [];
for (const [index, mutation] of choose(Number(values.count), Number(values.seed)).entries()) {
  const number = index + 1;
  if (number < Number(values.from)) continue;
  const from = Date.now();
  const caughtBy = withChange(mutation, () => failing(mutation));
  const result = { number, ...mutation, caughtBy, seconds: Math.round((Date.now() - from) / 1_000) };
  results.push(result);
  console.log(
    `${number} ${result.operator} ${result.file}:${result.line} ${caughtBy ?? "NOT CAUGHT"} (${result.seconds} s)`,
  );
  if (values.json) writeFileSync(values.json, JSON.stringify(results, undefined, 1));
}
const missed = results.filter(({ caughtBy }) => !caughtBy);
for (const { number, file, line, before, after } of missed)
  console.log(`\n${number} ${file}:${line}\n- ${before}\n+ ${after}`);
console.log(`\n${results.length - missed.length} of ${results.length} mutations are caught.`);

function withChange<T>({ file, start, end, after }: Mutation, work: () => T): T {
  const path = `${root}${file}`;
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.slice(0, start) + after + text.slice(end));
  try {
    return work();
  } finally {
    writeFileSync(path, text);
  }
}

/** Runs the tests that run the file until one fails. Returns its file. */
function failing({ file }: Mutation): string | undefined {
  const waiting = testsOf(file);
  for (let files = firstFiles; waiting.length > 0; files *= growth) {
    const failed = failedOf("exact*", waiting.splice(0, files));
    if (failed) return failed;
  }
  if (!ran("npm", ["run", "--silent", "typecheck"])) return "types";
  return values.engines ? failedOf("engines", []) : undefined;
}

/** Runs test files, or all of the project, until one fails. */
function failedOf(project: string, files: string[]): string | undefined {
  const args = ["--config", "test/vitest.config.ts", "--project", project, "--bail", "1", "--reporter", "json"];
  rmSync(reportFile, { force: true });
  if (ran("npx", ["vitest", "run", ...args, "--outputFile", reportFile, ...files])) return undefined;
  if (!existsSync(reportFile)) return "a run that did not begin";
  const { testResults } = JSON.parse(readFileSync(reportFile, "utf8")) as {
    testResults: { name: string; assertionResults: { status: string }[] }[];
  };
  const failed = testResults.find((each) => each.assertionResults.some((test) => test.status === "failed"));
  return failed?.name.slice(root.length) ?? "an error outside of the tests";
}

/** Whether the command succeeded. Throws when it was interrupted. */
function ran(command: string, args: string[]): boolean {
  const { status, signal } = spawnSync(command, args, { cwd: root, stdio: "ignore" });
  if (signal || status === 130) throw new Error(`${command} was interrupted.`);
  return status === 0;
}

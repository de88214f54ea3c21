// Changes the sources in one place at a time, and counts which changes no test sees.
// npm run mutate -- --seed 1 --count 120 [--from 1] [--seconds 180] [--json FILE]
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";
import { root } from "../support/sources.ts";
import { choose, type Mutation } from "./sites.ts";
import { testsByDistance } from "./tests-of.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "120" },
    from: { type: "string", default: "1" },
    /** For each mutation. */
    seconds: { type: "string", default: "180" },
    json: { type: "string" },
  },
});

interface Result extends Mutation {
  number: number;
  /** The file of the test that failed, `types`, or nothing. */
  caughtBy: string | undefined;
  seconds: number;
}

/** The nearest test catches most mutations. Each further run has more files, since a run takes seconds to start. */
const firstFiles = 6;
const growth = 4;
const testsOf = testsByDistance();
const vitest = await createVitest("test", {
  config: `${root}test/vitest.config.ts`,
  bail: 1,
  reporters: [{}],
});
await vitest.standalone();

const results: Result[] = [];
for (const [index, mutation] of choose(Number(values.count), Number(values.seed)).entries()) {
  const number = index + 1;
  if (number < Number(values.from)) continue;
  const from = Date.now();
  const caughtBy = await withChange(mutation, () => failing(mutation, from + Number(values.seconds) * 1_000));
  const result = { number, ...mutation, caughtBy, seconds: Math.round((Date.now() - from) / 1_000) };
  results.push(result);
  console.log(
    `${number} ${result.operator} ${result.file}:${result.line} ${caughtBy ?? "NOT CAUGHT"} (${result.seconds} s)`,
  );
  if (values.json) writeFileSync(values.json, JSON.stringify(results, undefined, 1));
}
await vitest.close();
const missed = results.filter(({ caughtBy }) => !caughtBy);
for (const { number, file, line, before, after } of missed)
  console.log(`\n${number} ${file}:${line}\n- ${before}\n+ ${after}`);
console.log(`\n${results.length - missed.length} of ${results.length} mutations are caught.`);
process.exit(0);

async function withChange<T>({ file, start, end, after }: Mutation, work: () => Promise<T>): Promise<T> {
  const path = `${root}${file}`;
  const text = readFileSync(path, "utf8");
  const restore = () => writeFileSync(path, text);
  process.once("exit", restore);
  writeFileSync(path, text.slice(0, start) + after + text.slice(end));
  vitest.invalidateFile(path);
  try {
    return await work();
  } finally {
    restore();
    process.off("exit", restore);
    vitest.invalidateFile(path);
  }
}

/** Runs the tests that reach the file until one fails. Returns its file. */
async function failing({ file }: Mutation, until: number): Promise<string | undefined> {
  const waiting = testsOf(file);
  for (let files = firstFiles; waiting.length > 0 && Date.now() < until; files *= growth) {
    const wanted = waiting.splice(0, files).map((each) => `${root}${each}`);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
      await vitest.globTestSpecifications(wanted),
    );
    const failed = testModules.find((each) => wanted.includes(each.moduleId) && each.state() === "failed");
    if (failed) return failed.moduleId.slice(root.length);
    if (unhandledErrors.length > 0) return "an unhandled error";
  }
  return failsTypes() ? "types" : undefined;
}

function failsTypes(): boolean {
  try {
    execFileSync("npm", ["run", "--silent", "typecheck"], { cwd: root, stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
}

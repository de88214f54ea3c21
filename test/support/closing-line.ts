// Ends the output of a test run: the name of each failed test, and the number of passed, failed and skipped tests as the
// last line. If a test of the long trial failed, it prints the command that repeats it.
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded has no tests, and counts as one failure.
    const broken = modules.filter((module) => module.errors().length > 0);
    const failed = [
      ...broken.map((module) => module.relativeModuleId),
      ...tests
        .filter((test) => test.result().state === "failed")
        .map((test) => `${test.module.relativeModuleId} > ${test.fullName}`),
    ];
    console.log("");
    for (const name of failed) console.log(`FAILED ${name}`);
    const seed = process.env.LONG_SEED;
    if (failed.length > 0 && seed)
      console.log(`LONG_SEED=${seed} npm run test:long -- FILE -t "NAME" repeats a failure.`);
    const skipped = count("skipped");
    console.log(`${count("passed")} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  }
}

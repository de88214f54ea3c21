// Prints the number of passed, failed and skipped tests as the last line of a test run, and before it the seed of the
// engines if a test failed.
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string) => states.filter((each) => each === state).length;
    // A file that cannot be loaded has no tests, and counts as one failure.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const skipped = count("skipped");
    const tail = skipped > 0 ? `, ${skipped} skipped` : "";
    if (count("failed") + broken > 0 && process.env.HARD_SEED)
      console.log(`\nHARD_SEED=${process.env.HARD_SEED} repeats what the engines disturbed, file by file.`);
    console.log(`\n${count("passed")} passed, ${count("failed") + broken} failed${tail}`);
  }
}

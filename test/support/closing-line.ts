// Prints the number of passed, failed and skipped tests as the last line of a test run. If a test of the long trial failed,
// it prints the command that repeats it.
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string) => states.filter((each) => each === state).length;
    // A file that cannot be loaded has no tests, and counts as one failure.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const skipped = count("skipped");
    const tail = skipped > 0 ? `, ${skipped} skipped` : "";
    const seed = process.env.LONG_SEED;
    if (count("failed") + broken > 0 && seed)
      console.log(`\nLONG_SEED=${seed} npm run test:long -- FILE -t "NAME" repeats a failure.`);
    console.log(`\n${count("passed")} passed, ${count("failed") + broken} failed${tail}`);
  }
}

// Prints the report of `npm run rehearse`: the rows and removals that the tests leave in their `meta`.
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { deployables } from "../../infra/deployables.ts";
import { countsOf, merged, type Removal, type Row, removalsOf, tableOf } from "./report.ts";

declare module "vitest" {
  interface TaskMeta {
    rows?: Row[];
    removals?: Removal[];
  }
}

export default class RehearsalReporter implements Reporter {
  /** The progress of a test that takes minutes. */
  onTestCaseAnnotate(_: TestCase, { message }: { message: string }): void {
    console.log(`\n${message}`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const metas = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.meta()));
    const rows = merged(metas.flatMap((meta) => meta.rows ?? []));
    const removals = metas.flatMap((meta) => meta.removals ?? []);
    if (rows.length > 0) console.log(`\n${tableOf(rows)}\n\n${countsOf(rows, removals, deployables.length)}`);
    else if (removals.length > 0) console.log(removalsOf(removals).join("\n"));
  }
}

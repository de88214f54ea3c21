// Orders test files. A long file that starts last would keep one worker busy while the others are idle.
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";
import { root } from "./sources.ts";

/**
 * The files and folders that take longest, longest first. To update the list, run the suite with `--reporter=json`,
 * which reports the start and the end of each file.
 */
export const longest: readonly string[] = [
  "test/fuzz/",
  "test/rehearse/",
  "test/contract/",
  "test/infra/local/",
  "test/infra/console/page/",
  "test/lib/ingest/sandbox.test.ts",
  "test/model/",
  "test/faults/",
  "test/functions/ai/agents-extract",
  "test/functions/workers/",
];

/** The position of a file in the order, by its path from the project's root. Unlisted files come last. */
export function placeOf(file: string): number {
  const index = longest.findIndex((beginning) => file.startsWith(beginning));
  return index < 0 ? longest.length : index;
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => placeOf(moduleId.slice(root.length));
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

// The order of test files. A long file that starts last keeps one worker busy while the others have nothing to do.
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";
import { root } from "./sources.ts";

/**
 * Files and folders that take longest, the longest first. To renew the list, run the suite with `--reporter=json`: each
 * file is listed with its start and its end.
 */
export const longest: readonly string[] = [
  "test/contract/",
  "test/infra/local/",
  "test/lib/ingest/sandbox.test.ts",
  "test/model/",
  "test/faults/",
  "test/functions/ai/agents-extract",
  "test/functions/workers/",
];

/** The place of a file in the order, by its path from the project's root. Later for what the list does not name. */
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

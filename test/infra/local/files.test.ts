import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createExclusively } from "../../../infra/local/files.ts";
import { temporaryFolder } from "../../support/local/start.ts";

it("a file that exists is not created, also when nobody can find it afterwards", () => {
  const path = join(temporaryFolder(), "engine.lock");
  expect(createExclusively(path, "first")).toBe(true);
  expect(createExclusively(path, "second")).toBe(false);
  // As a file that another process removes after the attempt.
  const lost = join(temporaryFolder(), "engine.lock");
  symlinkSync("nowhere", lost);
  expect(createExclusively(lost, "third")).toBe(false);
});

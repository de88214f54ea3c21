import { expect, it, vi } from "vitest";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { FormatError, format, formatEntity, requireFormat, warmUp } from "../../../lib/store/format.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";

const stored = () => Table.get<{ version: number }>(formatEntity.key({}));

it("requireFormat writes the format number to a new table once", async () => {
  newTableInMemory();
  await Promise.all([requireFormat(), requireFormat()]);
  expect(await stored()).toMatchObject({ version: format, entity: "format" });
});

it("requireFormat accepts a table with data of its own format", async () => {
  newTableInMemory();
  await requireFormat();
  await Workspace.create();
  await expect(requireFormat()).resolves.toBeUndefined();
});

it("requireFormat and warmUp refuse a table of another format", async () => {
  newTableInMemory();
  await commit([formatEntity.put({}, { version: 4 })]);
  await expect(requireFormat()).rejects.toThrow(FormatError);
  await expect(warmUp()).rejects.toThrow("The table has items of format 4, and this version reads format 1.");
  expect(await stored()).toMatchObject({ version: 4 });
});

it("warmUp ignores a failed read", async () => {
  vi.stubEnv("TABLE_NAME", "missing");
  await expect(warmUp()).resolves.toBeUndefined();
  vi.unstubAllEnvs();
});

import { expect, it, vi } from "vitest";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { FormatError, formatEntity, requireFormat, warmUp } from "../../../lib/store/format.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { newTable } from "../../support/new-table.ts";

const stored = () => Table.get<{ version: number }>(formatEntity.key({}));

it("marks a new table with its format number, once", async () => {
  await newTable();
  await Promise.all([requireFormat(), requireFormat()]);
  expect(await stored()).toMatchObject({ version: 1, entity: "format" });
});

it("accepts a table of its own format, with data", async () => {
  await newTable();
  await requireFormat();
  await Workspace.create();
  await expect(requireFormat()).resolves.toBeUndefined();
});

it("refuses a table of another format, at the start of a function too", async () => {
  await newTable();
  await commit([formatEntity.put({}, { version: 2 })]);
  await expect(requireFormat()).rejects.toThrow(FormatError);
  await expect(warmUp()).rejects.toThrow("The table has format 2, not 1.");
  expect(await stored()).toMatchObject({ version: 2 });
});

it("refuses data without a format number, and leaves it as it is", async () => {
  await newTable();
  await Workspace.create();
  await expect(requireFormat()).rejects.toThrow("data without a format number");
  expect(await stored()).toBeUndefined();
});

it("starts a function although the read fails", async () => {
  vi.stubEnv("TABLE_NAME", "missing");
  await expect(warmUp()).resolves.toBeUndefined();
  vi.unstubAllEnvs();
});

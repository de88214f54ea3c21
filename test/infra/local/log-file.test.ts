import { appendFileSync, closeSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openOwn } from "../../../infra/local/files.ts";
import { keepLogLines, keptLines } from "../../../infra/local/log-file.ts";
import { log } from "../../../lib/log.ts";
import { logs } from "../../support/capture-logs.ts";
import { temporaryFolder } from "../../support/local/start.ts";

it("log lines are copied to a file that only its owner may read, until the end", () => {
  const folder = temporaryFolder();
  const end = keepLogLines(folder);
  log("info", "kept", { job: "a" });
  log("info", "other", { job: "b" });
  end();
  log("info", "later", { job: "a" });
  expect(keptLines(folder, '"job":"a"')).toMatchObject([{ message: "kept" }]);
  expect(logs()).toHaveLength(3);
  expect(statSync(join(folder, "log.jsonl")).mode & 0o777).toBe(0o600);
});

it("a line that a killed server wrote in part is left out", () => {
  const folder = temporaryFolder();
  appendFileSync(join(folder, "log.jsonl"), '{"message":"whole"}\n{"message":"par');
  expect(keptLines(folder, "message")).toEqual([{ message: "whole" }]);
});

it("two files of about 20 MB are kept", () => {
  const folder = temporaryFolder();
  const end = keepLogLines(folder);
  const text = "x".repeat(5_000_000);
  for (let count = 0; count < 15; count++) log("info", "line", { count, detail: text });
  end();
  const counts = keptLines(folder, "line").map(({ count }) => count);
  expect(counts).toEqual([8, 9, 10, 11, 12, 13, 14]);
});

it("a file that was there with another mode becomes its owner's alone", () => {
  const path = join(temporaryFolder(), "dynamodb.db");
  writeFileSync(path, "kept", { mode: 0o644 });
  closeSync(openOwn(path));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8")).toBe("kept");
});

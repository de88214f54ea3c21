import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logMetrics } from "../../../../infra/console/operations/log-metrics.ts";
import { keepLogLines } from "../../../../infra/local/log-file.ts";
import { temporaryFolder } from "../../../support/local/start.ts";

const line = (message = "call") =>
  `${JSON.stringify({ level: "info", time: new Date().toISOString(), message, durationMs: 1 })}\n`;

async function calls(metrics: ReturnType<typeof logMetrics>): Promise<number> {
  const series = await metrics(60);
  return series.find(({ name }) => name === "calls")?.points.reduce((sum, [, value]) => sum + value, 0) ?? -1;
}

test("a folder without a log has no calls yet", async () => {
  expect(await calls(logMetrics(temporaryFolder()))).toBe(0);
});

test("lines of earlier starts count, and each line counts once, also while the log grows and is replaced", async () => {
  const folder = temporaryFolder();
  const [current, former] = [join(folder, "log.jsonl"), join(folder, "log.former.jsonl")];
  writeFileSync(former, line());
  writeFileSync(current, line() + line());
  const metrics = logMetrics(folder);
  expect(await calls(metrics)).toBe(3);
  expect(await calls(metrics)).toBe(3);
  const half = line();
  appendFileSync(current, line() + half.slice(0, 20));
  expect(await calls(metrics)).toBe(4);
  appendFileSync(current, half.slice(20));
  expect(await Promise.all([calls(metrics), calls(metrics)])).toEqual([5, 5]);
  appendFileSync(current, line());
  renameSync(current, former);
  expect(await calls(metrics)).toBe(5);
  writeFileSync(current, line());
  expect(await calls(metrics)).toBe(7);
});

test("a line that a killed server wrote in part is left out", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "log.jsonl"), `${line()}{"level":"in\n{"level":"info"}}\n${line()}`);
  expect(await calls(logMetrics(folder))).toBe(2);
});

test("a line of more than a chunk is left out, and those around it count", async () => {
  const folder = temporaryFolder();
  const long = line("x".repeat(2_500_000));
  writeFileSync(join(folder, "log.jsonl"), line() + long + line() + long.slice(0, 1_500_000));
  const metrics = logMetrics(folder);
  expect(await calls(metrics)).toBe(2);
  appendFileSync(join(folder, "log.jsonl"), long.slice(1_500_000) + line());
  expect(await calls(metrics)).toBe(3);
});

test("the lines that the server keeps are read", async () => {
  const folder = temporaryFolder();
  const close = keepLogLines(folder);
  try {
    process.stdout.write(line());
  } finally {
    close();
  }
  expect(await calls(logMetrics(folder))).toBe(1);
});

import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LocalLog, localLog } from "../../../../../infra/console/server/operations/local-log.ts";
import { keepLogLines } from "../../../../../infra/local/log-file.ts";
import { temporaryFolder } from "../../../../support/local/start.ts";

const line = (message = "call") =>
  `${JSON.stringify({ level: "info", time: new Date().toISOString(), message, durationMs: 1 })}\n`;

async function calls(log: LocalLog): Promise<number> {
  const series = await log.metrics(60);
  return series.find(({ name }) => name === "calls")?.points.reduce((sum, [, value]) => sum + value, 0) ?? -1;
}

test("a folder without a log has no calls yet", async () => {
  expect(await calls(localLog(temporaryFolder()))).toBe(0);
});

test("lines of earlier starts count, and each line counts once, also while the log grows and is replaced", async () => {
  const folder = temporaryFolder();
  const [current, former] = [join(folder, "log.jsonl"), join(folder, "log.former.jsonl")];
  writeFileSync(former, line());
  writeFileSync(current, line() + line());
  const log = localLog(folder);
  expect(await calls(log)).toBe(3);
  expect(await calls(log)).toBe(3);
  const half = line();
  appendFileSync(current, line() + half.slice(0, 20));
  expect(await calls(log)).toBe(4);
  appendFileSync(current, half.slice(20));
  expect(await Promise.all([calls(log), calls(log)])).toEqual([5, 5]);
  appendFileSync(current, line());
  renameSync(current, former);
  expect(await calls(log)).toBe(5);
  writeFileSync(current, line());
  expect(await calls(log)).toBe(7);
});

test("a line that a killed server wrote in part is left out", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "log.jsonl"), `${line()}{"level":"in\n{"level":"info"}}\n${line()}`);
  expect(await calls(localLog(folder))).toBe(2);
});

test("a line of more than a chunk is left out, and those around it count", async () => {
  const folder = temporaryFolder();
  const long = line("x".repeat(2_500_000));
  writeFileSync(join(folder, "log.jsonl"), line() + long + line() + long.slice(0, 1_500_000));
  const log = localLog(folder);
  expect(await calls(log)).toBe(2);
  appendFileSync(join(folder, "log.jsonl"), long.slice(1_500_000) + line());
  expect(await calls(log)).toBe(3);
});

test("the lines that the server keeps are read", async () => {
  const folder = temporaryFolder();
  const close = keepLogLines(folder);
  try {
    process.stdout.write(line());
  } finally {
    close();
  }
  expect(await calls(localLog(folder))).toBe(1);
});

test("of the jobs that are done, the latest of the workspace come first, each once", async () => {
  const folder = temporaryFolder();
  const run = (job: string, more: object = {}) =>
    `${JSON.stringify({
      ...{ level: "info", time: "2026-01-01T12:00:00.000Z", message: "job", outcome: "done", worker: "purge", job },
      ...{ workspace: "ws_1", attempt: 1, durationMs: 5, correlation_id: "r1", ...more },
    })}\n`;
  const lines = [run("a"), run("b"), run("c", { workspace: "ws_2" }), run("d", { outcome: "again" }), run("a")];
  writeFileSync(join(folder, "log.jsonl"), lines.join("") + line());
  const log = localLog(folder);
  const jobs = await log.doneJobs("ws_1");
  expect(jobs.map(({ id }) => id)).toEqual(["a", "b"]);
  const [first] = jobs;
  const shown = { state: "done", kind: "purge", dueAt: "2026-01-01T12:00:00.000Z", durationMs: 5, causedBy: "r1" };
  expect(first).toEqual({ id: "a", attempts: 1, ...shown });
  const ofOther = run("other", { workspace: "ws_2" });
  writeFileSync(join(folder, "log.jsonl"), ofOther + Array.from({ length: 201 }, (_, n) => run(`job-${n}`)).join(""));
  expect((await localLog(folder).doneJobs("ws_2")).map(({ id }) => id)).toEqual(["other"]);
  const many = await localLog(folder).doneJobs("ws_1");
  expect([many.length, many[0]?.id, many.at(-1)?.id]).toEqual([200, "job-200", "job-1"]);
});

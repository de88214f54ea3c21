// Runs infra/examples/activity.mjs, the commands of functions/activity-log/ACTIVITY.md, and infra/examples/verify.py.
import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { verifyLog } from "../infra/admin/activity-log/verify.ts";
import { linesOf } from "../infra/admin/lines.ts";
import { honestLogs, type LogFile, tamperedLogs } from "./support/activity-corpus.ts";
import { projectWithClient } from "./support/built-client.ts";
import { serve, stopped } from "./support/local/serve.ts";
import { codeIn, scriptOf } from "./support/page-script.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const page = await readFile(join(root, "functions/activity-log/ACTIVITY.md"), "utf8");
const project = projectWithClient();
const run = promisify(execFile);

async function newFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "collaboration-activity-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.warn("SKIPPED: python3 is not here, so nothing runs infra/examples/verify.py.");

/** Runs the Python example on each file of a folder, in one process. Returns what it says of each. */
async function verifiedByPython(dir: string, files: readonly LogFile[]): Promise<{ status: number; output: string }[]> {
  for (const [index, { bytes }] of files.entries()) await writeFile(join(dir, String(index)), bytes);
  const each = `
import contextlib, io, json, runpy, sys
for index in range(${files.length}):
    sys.argv[1:] = [f"{sys.argv[0]}/{index}"]
    said, status = io.StringIO(), 0
    try:
        with contextlib.redirect_stdout(said):
            runpy.run_path(${JSON.stringify(join(root, "infra/examples/verify.py"))})
    except SystemExit as end:
        status = 1
        said.write(str(end.code))
    print(json.dumps({"status": status, "output": said.getvalue().strip()}))
`;
  const script = join(dir, "each.py");
  await writeFile(script, each.replace("{sys.argv[0]}", dir));
  const { stdout } = await run("python3", [script], { maxBuffer: 10_000_000 });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

it("the script records an activity, and the commands export and verify it", async () => {
  const dir = project();
  const folder = join(dir, ".data");
  await mkdir(folder, { mode: 0o700 });
  const server = await serve(folder);
  await writeFile(join(dir, "activity.mjs"), scriptOf("activity.mjs", { url: server.ready.url, folder }));
  const { stdout } = await run(process.execPath, ["activity.mjs"], { cwd: dir });
  expect(stdout).toMatch(/^\S+ activity\.configure \{.*\}\n\S+ organization\.add \{.*\}\n\S+ document\.add \{.*\}\n$/);

  const commands = codeIn(page, "sh").replaceAll(
    "npm run admin --",
    `"${process.execPath}" "${join(root, "infra/admin.ts")}"`,
  );
  const { stdout: output } = await run("bash", ["-ec", commands], { cwd: dir });
  expect(output).toContain("3 records are as they were written.");
  expect(output).toContain("It contains the checkpoint of record 3");
  const exported = join(dir, ".data/exported.jsonl");
  const log = await readFile(exported, "utf8");
  if (hasPython) {
    const [verdict] = await verifiedByPython(await newFolder(), [{ name: "", bytes: Buffer.from(log) }]);
    expect(verdict).toEqual({ status: 0, output: expect.stringMatching(/^3 records, 0 texts/) });
  }

  await writeFile(exported, log.replace("document.add", "document.end"));
  const [, verify = ""] = commands.trim().split("\n");
  await expect(run("bash", ["-ec", verify], { cwd: dir })).rejects.toMatchObject({
    code: 2,
    stdout: expect.stringContaining("Record 3, in line 3,"),
  });
  expect(await stopped(server, "SIGTERM")).toBe(0);
});

describe.skipIf(!hasPython)("the Python", () => {
  it("verifies the honest logs that the command verifies, with the same hash", async () => {
    const verdicts = await verifiedByPython(await newFolder(), honestLogs);
    for (const [index, { bytes }] of honestLogs.entries()) {
      const verdict = await verifyLog(linesOf(Readable.from([bytes])));
      const { records, textsRemoved, hash = null } = "verified" in verdict ? verdict.verified : expect.fail();
      const output = `${records} records, ${textsRemoved} texts removed, last hash ${hash ?? "None"}`;
      expect(verdicts[index]).toEqual({ status: 0, output });
    }
  });

  it("refuses the tampered logs that the command refuses, in a sentence", async () => {
    const verdicts = await verifiedByPython(await newFolder(), tamperedLogs);
    const wrong = tamperedLogs.filter((_, index) => {
      const { status, output } = verdicts[index] ?? expect.fail();
      return status !== 1 || !/^(?:Line|The text) .*\.$/.test(output);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

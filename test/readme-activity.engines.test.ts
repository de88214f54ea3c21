// Runs infra/examples/activity.mjs, the commands of functions/activity-log/ACTIVITY.md, and infra/examples/verify.py.
import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Exported } from "../infra/admin/activity-log/exported.ts";
import { verifyLog } from "../infra/admin/activity-log/verify.ts";
import { projectWithClient } from "./support/built-client.ts";
import { chainOf, textOf } from "./support/chains.ts";
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

/** Runs the Python example on a file. */
async function verifiedByPython(dir: string, lines: string) {
  await writeFile(join(dir, "made.jsonl"), lines);
  const { status, stdout, stderr } = spawnSync("python3", [join(root, "infra/examples/verify.py"), "made.jsonl"], {
    cwd: dir,
    encoding: "utf8",
  });
  return { status, output: (stdout + stderr).trim() };
}

it("the script records an activity, and the commands export and verify it", async () => {
  const dir = project();
  const folder = join(dir, ".data");
  await mkdir(folder, { mode: 0o700 });
  const server = await serve(folder);
  await writeFile(join(dir, "activity.mjs"), scriptOf("activity.mjs", { url: server.ready.url, folder }));
  const { stdout } = await run(process.execPath, ["activity.mjs"], { cwd: dir });
  expect(stdout).toMatch(/^\S+ organization\.add \{.*\}\n\S+ document\.add \{.*\}\n$/);

  const commands = codeIn(page, "sh").replaceAll(
    "npm run admin --",
    `"${process.execPath}" "${join(root, "infra/admin.ts")}"`,
  );
  const { stdout: output } = await run("bash", ["-ec", commands], { cwd: dir });
  expect(output).toContain("2 records are as they were written.");
  expect(output).toContain("It contains the checkpoint of record 2");
  const exported = join(dir, ".data/exported.jsonl");
  const log = await readFile(exported, "utf8");
  if (hasPython) {
    expect(await verifiedByPython(dir, log)).toEqual({
      status: 0,
      output: expect.stringMatching(/^2 records, 0 texts/),
    });
  }

  await writeFile(exported, log.replace("document.add", "document.end"));
  const [, verify = ""] = commands.trim().split("\n");
  await expect(run("bash", ["-ec", verify], { cwd: dir })).rejects.toMatchObject({
    code: 2,
    stdout: expect.stringContaining("Record 2, in line 2,"),
  });
  expect(await stopped(server, "SIGTERM")).toBe(0);
});

describe.skipIf(!hasPython)("the Python", () => {
  const text = '{"text":"\\u0001 é \u2028 \u{1f600} \\" \\\\ \\n"}';
  const eventType = '\u0001\b\t\n\f\r"\\/\u007f\u2028é\u{1f600}\ue000';
  const log = chainOf(
    Array.from({ length: 5 }, () => ({ eventType, documentId: "é", texts: { changes: text, metadata: text } })),
  );
  const lines = log.map((each) => `${textOf(each)}\n`);

  const upper = (_: string, salt: string) => `"salt":"${salt.toUpperCase()}"`;
  const withTextsOf = (index: number) => `${textOf({ ...(log[2] as Exported), texts: log[index]?.texts ?? {} })}\n`;
  async function* linesIn(file: readonly string[]) {
    yield* file.join("").slice(0, -1).split("\n");
  }

  it("computes the same hashes, whatever characters a record has", async () => {
    expect(await verifiedByPython(await newFolder(), lines.join(""))).toEqual({
      status: 0,
      output: `5 records, 0 texts removed, last hash ${log[4]?.hash}`,
    });
  });

  it("accepts a log without its texts, and counts them", async () => {
    const without = log.map(({ record, hash }) => `${textOf({ record, hash })}\n`);
    const { output } = await verifiedByPython(await newFolder(), without.join(""));
    expect(output).toContain("5 records, 10 texts removed");
  });

  it.each([
    ["a removed record", lines.toSpliced(2, 1), "Line 3"],
    [
      "a changed record",
      lines.with(2, lines[2]?.replace('"organizationId":"o"', '"organizationId":"p"') ?? ""),
      "Line 3",
    ],
    ["a changed text", lines.with(2, lines[2]?.replace("\\\\n", "\\\\t") ?? ""), "The text changes of line 3"],
    ["a moved record", [0, 2, 3, 1, 4].map((index) => lines[index] ?? ""), "Line 2"],
    ["a record that is there twice", lines.toSpliced(2, 0, lines[1] ?? ""), "Line 3"],
    ["an inserted record", lines.toSpliced(2, 0, lines[2]?.replace("chain-1", "chain-2") ?? ""), "Line 3"],
    ["a text of another record", lines.with(2, withTextsOf(3)), "The text changes of line 3"],
    ["a line feed of another system", lines.map((line) => line.replace("\n", "\r\n")), "Line 1"],
    ["white space", lines.with(2, lines[2]?.replace(":", ": ") ?? ""), "Line 3"],
    ["a character that is escaped", lines.with(2, lines[2]?.replace("chain-1", "chain\\u002d1") ?? ""), "Line 3"],
    ["a name that is there twice", lines.with(2, lines[2]?.replace("{", '{"record":{},') ?? ""), "Line 3"],
    ["a further field", lines.with(2, lines[2]?.replace("{", '{"note":"x",') ?? ""), "Line 3"],
    ["upper case in a salt", lines.with(2, lines[2]?.replace(/"salt":"(\w+)"/, upper) ?? ""), "Line 3"],
  ])("finds %s, as the command does", async (_, changed, message) => {
    expect(await verifyLog(linesIn(changed))).toHaveProperty("fault");
    expect(await verifiedByPython(await newFolder(), changed.join(""))).toEqual({
      status: 1,
      output: expect.stringContaining(message),
    });
  });
});

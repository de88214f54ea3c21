// Files can be malicious. Each is read in a separate process, since only a process can be limited as a whole and
// killed. The heap limit of a worker thread does not count Buffers, and a loop inside a parser ignores an AbortSignal.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Content, type Problem, problems } from "./file-content.ts";
import { limits } from "./file-limits.ts";
import type { FileKind } from "./file-type.ts";
import { readerCode } from "./lock.ts";

const watchMs = 15;
/** Characters of the reader's output. JSON escapes some characters, so this is above the limit of the text. */
const outputCharactersMax = limits.characters * 2;

/** Reads a file in a separate process. `until` (ms since the epoch) can end it before the limits do. */
export async function readInSandbox(
  bytes: Buffer,
  kind: FileKind,
  until = Number.POSITIVE_INFINITY,
): Promise<Content | { problem: Problem }> {
  const child = start(kind);
  return new Promise((resolve, reject) => {
    let ended: Problem | undefined;
    let output = "";
    const end = (problem: Problem) => {
      ended ??= problem;
      child.kill("SIGKILL");
    };
    const watch = setInterval(() => {
      if (residentMb(child) > limits.residentMb) end("tooMuchMemory");
    }, watchMs);
    const timer = setTimeout(() => end("tooSlow"), Math.min(limits.seconds * 1_000, Math.max(0, until - Date.now())));
    child.stdout?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
      if (output.length > outputCharactersMax) end("tooLarge");
    });
    child.stdin?.on("error", () => {}); // The process ended before it read everything; `close` has the reason.
    child.stdin?.end(bytes);
    child.on("error", reject);
    child.on("close", (_code, signal) => {
      clearInterval(watch);
      clearTimeout(timer);
      // V8 aborts when its heap is full.
      resolve(ended ? { problem: ended } : signal ? { problem: "tooMuchMemory" } : parse(output));
    });
  });
}

const isSource = import.meta.url.endsWith(".ts");
/** Beside this file, or beside the bundle. */
const readerScript = () => new URL(isSource ? "./reader/main.ts" : "./reader.mjs", import.meta.url);

/** Starts a process without credentials. It cannot write, start other processes, use the network or send signals. */
export function start(kind: FileKind, script = readerScript()): ChildProcess {
  const { LD_LIBRARY_PATH } = process.env;
  const options = [
    "--permission",
    `--allow-fs-read=${isSource ? "*" : fileURLToPath(script)}`,
    `--max-old-space-size=${limits.heapMb}`,
    "--no-warnings",
  ];
  return spawn(process.execPath, [...options, "-e", readerCode, script.href, kind], {
    env: LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {},
    cwd: "/",
    stdio: ["pipe", "pipe", "ignore"],
  });
}

/** Resident memory of the process. It is 0 on a platform without /proc: there, only heap and time are limited. */
function residentMb({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
  } catch {
    return 0; // The process has ended.
  }
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** The output is as untrusted as the file. */
function parse(output: string): Content | { problem: Problem } {
  try {
    const { lines, marks, notes, problem } = JSON.parse(output);
    if (Object.hasOwn(problems, problem ?? "")) return { problem };
    if (!areTexts(lines) || !areTexts(notes) || !Array.isArray(marks)) return { problem: "damaged" };
    if (!marks.every(({ before, text }) => Number.isInteger(before) && typeof text === "string"))
      return { problem: "damaged" };
    // Lone surrogates are not allowed in the store or in a reply.
    return { lines: lines.map((line) => line.toWellFormed()), marks, notes: notes.map((note) => note.toWellFormed()) };
  } catch {
    return { problem: "damaged" };
  }
}

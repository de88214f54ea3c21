// The service as a process of its own, on a data folder. It is killed now and then, and started again.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Credentials } from "../support/event.ts";
import type { Report } from "./report.ts";

const main = fileURLToPath(new URL("../../infra/local/main.ts", import.meta.url));
/** Compiled code of earlier starts, which makes the next one faster. */
const cache = fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url));
/** Errors that only a mistake in the program can cause. */
const programErrors = ["TypeError", "ReferenceError", "RangeError", "SyntaxError"];
const startMsMax = 120_000;

export class Service {
  readonly dir: string;
  url = new URL("http://127.0.0.1:0");
  demo: Credentials = { apiKey: "", authToken: "" };
  /** Resolves when the service takes requests. */
  ready: Promise<void> = Promise.resolve();
  readonly #report: Report;
  readonly #argsOf: (start: number) => readonly string[];
  #child: ChildProcess | undefined;
  /** CPU time of all processes of the service that have ended, in ms. */
  cpuMs = 0;
  #isEnding = false;
  #starts = 0;

  /** Each start makes other decisions of the hard engine. */
  constructor(dir: string, report: Report, argsOf: (start: number) => readonly string[]) {
    this.dir = dir;
    this.#report = report;
    this.#argsOf = argsOf;
  }

  start(): Promise<void> {
    this.ready = this.#start();
    this.ready.catch((thrown) => this.#report.find(`The service did not start: ${thrown}`));
    return this.ready;
  }

  async #start(): Promise<void> {
    this.#isEnding = false;
    // The service prints its first line before it makes its folder.
    mkdirSync(this.dir, { recursive: true, mode: 0o700 });
    const args = ["--port", this.url.port || "0", "--data", this.dir, "--json", ...this.#argsOf(this.#starts)];
    this.#starts += 1;
    const child = spawn(process.execPath, [main, ...args], {
      env: { NODE_COMPILE_CACHE: cache, ...process.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    // If the run itself fails, the service must not outlive it.
    const killChild = () => child.kill();
    process.once("exit", killChild);
    child.once("exit", () => process.off("exit", killChild));
    createInterface({ input: child.stderr }).on("line", (line) => this.#read(line));
    const ended = once(child, "exit").then(([code, signal]) => this.#ended(child, code, signal));
    const line = once(child.stdout, "data");
    const outcome = await Promise.race([line, ended, sleep(startMsMax, "late", { ref: false })]);
    if (!Array.isArray(outcome)) throw new Error(`it ended, or was not ready in ${startMsMax / 1_000} s`);
    const { url, apiKey, authToken } = JSON.parse(String(outcome[0]));
    this.url = new URL(url);
    this.demo = { apiKey, authToken };
  }

  #ended(child: ChildProcess, code: number | null, signal: string | null): void {
    if (this.#isEnding || child !== this.#child) return;
    this.#report.find(`The process of the service ended by itself: code ${code}, signal ${signal}.`);
    void this.start();
  }

  /** Info lines are the calls. The others are counted; a line that is not JSON comes from no function. */
  #read(line: string): void {
    if (line.startsWith('{"level":"info"')) return;
    appendFileSync(join(this.dir, "server.log"), `${line}\n`);
    if (line.startsWith("{")) {
      const { level, message, endpoint, worker, outcome, status, cause } = JSON.parse(line);
      const details = [worker ?? endpoint, outcome ?? status, cause?.name].filter(Boolean).join(" ");
      this.#report.note(`log ${level}: ${message} ${details}`);
      if (programErrors.includes(cause?.name)) this.#report.find(`The service logged: ${line.slice(0, 1_000)}`);
    } else if (/unhandled|uncaught|^\w*Error\b|FATAL/i.test(line)) {
      this.#report.find(`The service printed: ${line}`);
    }
  }

  /** Kills the process as a crash would, and starts it again on the same data. */
  async kill(): Promise<void> {
    await this.ready;
    await this.#end("SIGKILL");
    this.#report.note("kills");
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    this.#isEnding = true;
    const exit = once(child, "exit");
    this.cpuMs += cpuMsOf(child.pid);
    child.kill(signal);
    await exit;
  }
}

/** 0 where the platform has no /proc. */
function cpuMsOf(pid: number | undefined): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  const [user, system] = readFileSync(path, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .slice(11, 13);
  return 10 * (Number(user) + Number(system));
}

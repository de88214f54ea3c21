// Runs a function as Lambda does: a process of AWS's runtime client with the environment, the memory and the timeout of
// the template.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DeployedFunction } from "../aws/template.ts";
import { type Outcome, startRuntimeApi } from "./api.ts";

/** Lambda's limit of the init phase. */
const initMsMax = 10_000;
const preload = fileURLToPath(new URL("native-client.mjs", import.meta.url));
const client = fileURLToPath(new URL("aws-lambda-ric/index.mjs", import.meta.url));

/** Lambda chooses the name of a stream. */
export const logStream = "rehearsal";

export interface Run extends Outcome {
  ms: number;
}

export interface LambdaProcess {
  /** From the start of the process until it asked for its first invocation. */
  initMs: number;
  invoke(event: unknown, options: { trace: string; clockOffsetMs?: number }): Promise<Run>;
  /** The lines that it has logged. */
  lines(): Record<string, unknown>[];
  /** The highest resident memory, MB. Undefined where the system does not tell it. */
  peakMb(): number | undefined;
  end(): Promise<void>;
}

/** `access`: where AWS is, and the credentials of the role. */
export async function startFunction(
  deployed: DeployedFunction,
  access: Record<string, string>,
): Promise<LambdaProcess> {
  const startedAt = performance.now();
  const api = await startRuntimeApi();
  const child = spawn(process.execPath, [...heapOptions(deployed), "--import", preload, client], {
    cwd: deployed.assets,
    env: { ...lambdaEnvironment(deployed, api.address), ...deployed.environment, ...access },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collect(child);
  const died = new Promise<Outcome>((resolve) => {
    child.once("exit", (code) => resolve(failure("Runtime.ExitError", `The process ended with ${code}. ${output()}`)));
  });
  const init = await Promise.race([api.ready, died, after(initMsMax, `Init phase timed out: ${output()}`)]);
  const initMs = performance.now() - startedAt;
  let isEnded = init !== undefined;

  return {
    initMs,
    lines: () => jsonLines(output()),
    peakMb: () => peakMbOf(child),
    async invoke(event, { trace, clockOffsetMs = 0 }) {
      if (init) return { ...init, ms: 0 };
      if (isEnded) return { ...failure("Runtime.ExitError", "The process has ended."), ms: 0 };
      const from = performance.now();
      const timeoutMs = deployed.timeoutSeconds * 1_000;
      const deadline = Date.now() + clockOffsetMs + timeoutMs;
      const invocation = { requestId: randomUUID(), event, deadline, arn: deployed.arn, trace, clockOffsetMs };
      const timedOut = after(timeoutMs, `Task timed out after ${deployed.timeoutSeconds} seconds`);
      const outcome = await Promise.race([api.invoke(invocation), died, timedOut]);
      isEnded = outcome.error?.type === "Sandbox.Timedout";
      if (isEnded) child.kill("SIGKILL");
      return { ...outcome, ms: performance.now() - from };
    },
    async end() {
      child.kill("SIGKILL");
      await died;
      await api.close();
    },
  };
}

/** As the managed runtime: 90 % of the memory for the heap, 5 % for its new objects. */
function heapOptions({ memoryMb }: DeployedFunction): string[] {
  const part = (percent: number) => Math.floor((memoryMb * percent) / 100);
  return [`--max-old-space-size=${part(90)}`, `--max-semi-space-size=${part(5)}`];
}

/** The variables that Lambda sets. Nothing of this process's environment reaches the function. */
function lambdaEnvironment(deployed: DeployedFunction, runtimeApi: string): Record<string, string> {
  const { name, memoryMb, assets, logGroup } = deployed;
  return {
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_FORMAT: "JSON",
    AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: logStream,
    AWS_LAMBDA_RUNTIME_API: runtimeApi,
    LAMBDA_TASK_ROOT: assets,
    LANG: "en_US.UTF-8",
    PATH: "/usr/local/bin:/usr/bin:/bin",
    TZ: ":UTC",
    _HANDLER: "index.handler",
  };
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  const parts: Buffer[] = [];
  for (const stream of [stdout, stderr]) stream?.on("data", (part) => parts.push(part));
  return () => Buffer.concat(parts).toString();
}

function jsonLines(output: string): Record<string, unknown>[] {
  // The last part is a line that is not complete.
  const lines = output.split("\n").slice(0, -1);
  return lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
}

function peakMbOf({ pid }: ChildProcess): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return undefined; // Not Linux, or the process has ended.
  }
}

const failure = (type: string, message: string): Outcome => ({ error: { type, message }, bytes: 0 });

function after(ms: number, message: string): Promise<Outcome> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(failure("Sandbox.Timedout", message)), ms).unref();
  });
}

// Runs a function as Lambda does: a process of AWS's runtime client with the environment, the memory and the timeout of
// the template.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { DeployedFunction } from "../aws/template.ts";
import { type Outcome, startRuntimeApi } from "./api.ts";
import { runtimeEnvironment } from "./environment.ts";
import { collected, peakMbOf, stateOf } from "./observe.ts";

/**
 * Lambda's limit of the init phase, ms. Here it counts processor time, because a busy machine is no fault of the
 * function. `idle` is for a process that neither starts nor uses the processor.
 */
const initLimits = { processor: 10_000, idle: 60_000 };
const initCheckMs = 250;
/** Lambda's limit of an event in JSON, bytes. */
const eventBytesMax = 6 * 1_024 * 1_024;

const preload = fileURLToPath(new URL("native-client.mjs", import.meta.url));
const client = fileURLToPath(new URL("aws-lambda-ric/index.mjs", import.meta.url));

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
  limits = initLimits,
): Promise<LambdaProcess> {
  const startedAt = performance.now();
  const api = await startRuntimeApi();
  const child = spawn(process.execPath, [...heapOptions(deployed), "--import", preload, client], {
    cwd: deployed.assets,
    env: { ...runtimeEnvironment(deployed, api.address), ...deployed.environment, ...access },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collected(child);
  const died = new Promise<Outcome>((resolve) => {
    child.once("exit", (code, signal) => {
      resolve(failure("Runtime.ExitError", `The process ended with ${code ?? signal}. ${output.tail()}`));
    });
    child.once("error", (error) => resolve(failure("Runtime.ExitError", `The process did not start: ${error}.`)));
  });
  const describe = () => stateOf(child).text(performance.now() - startedAt);
  const init = await initOf();
  const initMs = performance.now() - startedAt;
  let isEnded = init !== undefined;

  /** Undefined when the process has asked for its first invocation. */
  async function initOf(): Promise<Outcome | undefined> {
    for (;;) {
      const still = Symbol("still starting");
      const outcome = await Promise.race([api.ready, died, pause(initCheckMs, still)]);
      if (outcome !== still) return outcome as Outcome | undefined;
      const wallMs = performance.now() - startedAt;
      const isOver = (stateOf(child).cpuMs ?? wallMs) > limits.processor || wallMs > limits.idle;
      if (isOver) return failure("Sandbox.Timedout", `Init phase timed out. ${describe()} ${output.tail()}`);
    }
  }

  return {
    initMs,
    lines: output.lines,
    peakMb: () => peakMbOf(child),
    async invoke(event, { trace, clockOffsetMs = 0 }) {
      if (init) return { ...init, ms: 0 };
      if (isEnded) return { ...failure("Runtime.ExitError", "The process has ended."), ms: 0 };
      const bytes = Buffer.byteLength(JSON.stringify(event));
      if (bytes > eventBytesMax) return { ...failure("RequestTooLarge", `The event has ${bytes} bytes.`), ms: 0 };
      const from = performance.now();
      const timeoutMs = deployed.timeoutSeconds * 1_000;
      const deadline = Date.now() + clockOffsetMs + timeoutMs;
      const invocation = { requestId: randomUUID(), event, deadline, arn: deployed.arn, trace, clockOffsetMs };
      const timedOut = pause(timeoutMs, undefined);
      const outcome = await Promise.race([api.invoke(invocation), died, timedOut]);
      const ms = performance.now() - from;
      if (outcome) return { ...outcome, ms };
      isEnded = true;
      const message = `Task timed out after ${deployed.timeoutSeconds} seconds. ${describe()} ${output.tail()}`;
      child.kill("SIGKILL");
      return { ...failure("Sandbox.Timedout", message), ms };
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

const failure = (type: string, message: string): Outcome => ({ error: { type, message: message.trim() }, bytes: 0 });

function pause<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(value), ms).unref();
  });
}

// What Lambda does with functions that fail, and what it gives to them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { endpoints } from "../../../infra/deployables.ts";
import type { DeployedFunction } from "../aws/template.ts";
import { replyBytesMax } from "./api.ts";
import { runtimeEnvironment } from "./environment.ts";
import { startFunction } from "./process.ts";

type InitLimits = Parameters<typeof startFunction>[2];

const [declared] = endpoints as [(typeof endpoints)[0]];

async function started(source: string, more: Partial<DeployedFunction> = {}, initLimits?: InitLimits) {
  const assets = mkdtempSync(join(tmpdir(), "function-"));
  writeFileSync(join(assets, "index.mjs"), source);
  const limits = { memoryMb: 256, timeoutSeconds: 20, allowsRecursion: false };
  const names = { declared, name: "f", arn: "arn:f", logGroup: "logs", role: [] };
  const code = { handler: "index.handler", runtime: "nodejs24.x", assets };
  const deployed = { ...names, ...limits, ...code, environment: { OWN: "1" }, ...more };
  const lambda = await startFunction(deployed, { AWS_REGION: "us-east-1" }, initLimits);
  onTestFinished(async () => {
    await lambda.end();
    rmSync(assets, { recursive: true });
  });
  return { ...lambda, deployed };
}

const handler = (body: string) => `export const handler = async (event, context) => { ${body} };`;

it("gives a handler its event, its context, and only the environment of Lambda and of the template", async () => {
  const lambda = await started(
    handler(`console.log(JSON.stringify({ asked: event.a }));
    return { a: event.a, env: Object.keys(process.env).sort(), trace: process.env._X_AMZN_TRACE_ID,
      name: context.functionName, left: context.getRemainingTimeInMillis(), now: Date.now() }`),
  );
  const { result, bytes, error } = await lambda.invoke({ a: 1 }, { trace: "Root=1;Lineage=a:1", clockOffsetMs: 3.6e6 });
  expect(error).toBeUndefined();
  expect(bytes).toBe(JSON.stringify(result).length);
  const { env, now, left, ...rest } = result as { env: string[]; now: number; left: number };
  expect(rest).toEqual({ a: 1, trace: "Root=1;Lineage=a:1", name: "f" });
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(20_000);
  const ofLambda = Object.keys(runtimeEnvironment(lambda.deployed, ""));
  expect(env).toEqual([...ofLambda, "AWS_REGION", "OWN", "_X_AMZN_TRACE_ID"].sort());
  // The clock of the process is an hour ahead, so that later jobs are due.
  expect(now).toBeGreaterThan(Date.now() + 3_000_000);
  expect(lambda.peakMb() ?? 1).toBeGreaterThan(0);
});

it("refuses a reply that is longer than 6,291,556 bytes in JSON, and takes the next event", async () => {
  const lambda = await started(handler(`return "x".repeat(event.length)`));
  const reply = (length: number) => lambda.invoke({ length }, { trace: "" });
  expect(await reply(replyBytesMax - 2)).toMatchObject({ bytes: 6_291_556 });
  const { error, bytes } = await reply(replyBytesMax - 1);
  expect([error?.type, bytes]).toEqual(["Function.ResponseSizeTooLarge", 6_291_557]);
  expect(await reply(1)).toMatchObject({ result: "x" });
});

it("reports an exception of the handler, and one of the init phase", async () => {
  const throwing = await started(handler(`throw new TypeError("No.")`));
  expect((await throwing.invoke({}, { trace: "" })).error).toEqual({ type: "TypeError", message: "No." });
  const broken = await started(`throw new Error("Not started.")`);
  expect((await broken.invoke({}, { trace: "" })).error?.message).toContain("Not started.");
});

it("refuses an event that is longer than 6 MB", async () => {
  const lambda = await started(handler("return 1"));
  const { error } = await lambda.invoke("x".repeat(6 * 1_024 * 1_024), { trace: "" });
  expect(error?.type).toBe("RequestTooLarge");
  expect(await lambda.invoke({}, { trace: "" })).toMatchObject({ result: 1 });
});

it("ends a function at its timeout, and says what it did until then", async () => {
  const slow = await started(
    handler(`console.log("It waits."); await new Promise((resolve) => setTimeout(resolve, 60_000))`),
    { timeoutSeconds: 1 },
  );
  const { error } = await slow.invoke({}, { trace: "" });
  expect(error?.type).toBe("Sandbox.Timedout");
  expect(error?.message).toMatch(
    /^Task timed out after 1 seconds\. .*processor time.*load of the machine.*It waits\./s,
  );
});

it("ends a function whose init phase takes too long, and says what it did until then", async () => {
  const endless = `console.log("It starts."); for (;;);`;
  const lambda = await started(endless, {}, { processor: 500, idle: 60_000 });
  const { error } = await lambda.invoke({}, { trace: "" });
  expect(error?.type).toBe("Sandbox.Timedout");
  expect(error?.message).toMatch(/^Init phase timed out\. The process is \d+ ms old/);
});

it("starts the handler that the template names", async () => {
  const source = "export const other = async () => 2;";
  expect(await (await started(source, { handler: "index.other" })).invoke({}, { trace: "" })).toMatchObject({
    result: 2,
  });
  const { error } = await (await started(source)).invoke({}, { trace: "" });
  expect(error?.message).toContain("index.handler is undefined or not exported");
});

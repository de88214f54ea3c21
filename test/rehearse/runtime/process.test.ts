// What Lambda does with functions that fail, and what it gives to them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { endpoints } from "../../../infra/deployables.ts";
import type { DeployedFunction } from "../aws/template.ts";
import { replyBytesMax } from "./api.ts";
import { startFunction } from "./process.ts";

const [declared] = endpoints as [(typeof endpoints)[0]];

async function started(code: string, more: Partial<DeployedFunction> = {}) {
  const assets = mkdtempSync(join(tmpdir(), "function-"));
  writeFileSync(join(assets, "index.mjs"), code);
  const limits = { memoryMb: 256, timeoutSeconds: 20, allowsRecursion: false };
  const names = { declared, name: "f", arn: "arn:f", logGroup: "logs", role: [] };
  const deployed = { ...names, ...limits, assets, environment: { OWN: "1" }, ...more };
  const lambda = await startFunction(deployed, { AWS_REGION: "us-east-1" });
  onTestFinished(async () => {
    await lambda.end();
    rmSync(assets, { recursive: true });
  });
  return lambda;
}

const handler = (body: string) => `export const handler = async (event, context) => { ${body} };`;

it("gives a handler its event, its context, and only the environment of Lambda and of the template", async () => {
  const lambda = await started(
    handler(`console.log(JSON.stringify({ asked: event.a }));
    return { a: event.a, env: Object.keys(process.env).sort(), trace: process.env._X_AMZN_TRACE_ID,
      name: context.functionName, left: context.getRemainingTimeInMillis() > 19_000, now: Date.now() }`),
  );
  const { result, bytes, error } = await lambda.invoke({ a: 1 }, { trace: "Root=1;Lineage=a:1", clockOffsetMs: 3.6e6 });
  expect(error).toBeUndefined();
  expect(bytes).toBe(JSON.stringify(result).length);
  const { env, now, ...rest } = result as { env: string[]; now: number };
  expect(rest).toEqual({ a: 1, trace: "Root=1;Lineage=a:1", name: "f", left: true });
  expect(env).toEqual(expect.arrayContaining(["OWN", "AWS_REGION", "AWS_LAMBDA_FUNCTION_NAME", "_HANDLER"]));
  expect(env).not.toContain("TABLE_NAME");
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

it("ends a function at its timeout", async () => {
  const slow = await started(handler("await new Promise((resolve) => setTimeout(resolve, 60_000))"), {
    timeoutSeconds: 1,
  });
  const { error } = await slow.invoke({}, { trace: "" });
  expect(error).toEqual({ type: "Sandbox.Timedout", message: "Task timed out after 1 seconds" });
});

import { expect, test } from "vitest";
import { agentsExtract } from "../../../functions/ai/agents-extract.ts";
import { askAi } from "../../../functions/ai/ask-ai.ts";
import { judgmentsAdd } from "../../../functions/ai/judgments-add.ts";
import { memoryAsk } from "../../../functions/ai/memory-ask.ts";
import { aimodelconfigGet } from "../../../functions/workspace/aimodelconfig-get.ts";
import { aimodelconfigUpdate } from "../../../functions/workspace/aimodelconfig-update.ts";
import { requestExample } from "../../../lib/openapi/operation.ts";
import { post, serve, stopped } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

test("--demo-ai replaces the model of endpoints by canned replies that are marked as such", async () => {
  const server = await serve(temporaryFolder(), "--demo-ai");
  const call = (endpoint: { path: string }, data: unknown = requestExample(endpoint as never)) =>
    post(server, endpoint, data);
  const canned = expect.stringContaining("canned");
  for (const model of ["gpt-5-mini", "o3", "claude-haiku-4-5", "gemini-2.5-flash"]) {
    const { result } = await call(askAi, { model, prompt: "Make this friendlier.", text: "Send it." });
    expect(result).toEqual({ success: true, text: canned });
  }
  await call(judgmentsAdd);
  const { result } = await call(memoryAsk);
  expect(result).toMatchObject({ answer: canned, citations: [{ recordId: "review-7", verified: true }] });
  const { extractionResult } = (await call(agentsExtract)).result.data;
  expect(extractionResult).toMatchObject({ summary: canned, totalTasksParsed: 1 });
  expect(extractionResult.agents[0].sourceTasks).toHaveLength(1);
  expect(await stopped(server, "SIGTERM")).toBe(0);
});

test("--demo-ai keeps the key and the address that the user has set, also on this machine", async () => {
  const folder = temporaryFolder();
  const first = await serve(folder, "--demo-ai");
  const own = { apiKey: "own-key", baseUrl: "http://127.0.0.1:9/v1" };
  await post(first, aimodelconfigUpdate, { providers: { openai: own } });
  const before = (await post(first, aimodelconfigGet, {})).result.data.providers;
  expect(await stopped(first, "SIGTERM")).toBe(0);
  const second = await serve(folder, "--demo-ai");
  const { providers } = (await post(second, aimodelconfigGet, {})).result.data;
  expect(providers.openai).toEqual({ ...before.openai, baseUrl: own.baseUrl });
  expect(providers.gemini.baseUrl).not.toBe(before.gemini.baseUrl);
  expect(await stopped(second, "SIGTERM")).toBe(0);
});

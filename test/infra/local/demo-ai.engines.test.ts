import { expect, onTestFinished, test } from "vitest";
import { judgmentsAdd } from "../../../functions/memory/judgments-add.ts";
import { memoryAsk } from "../../../functions/memory/memory-ask.ts";
import { agentsExtract } from "../../../functions/models-and-agents/agents-extract.ts";
import { aimodelconfigGet } from "../../../functions/models-and-agents/aimodelconfig-get.ts";
import { aimodelconfigUpdate } from "../../../functions/models-and-agents/aimodelconfig-update.ts";
import { askAi } from "../../../functions/models-and-agents/ask-ai.ts";
import { requestExample } from "../../../infra/openapi/operation.ts";
import { post, run, type Server, serve, stopped } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";
import { startVendorServer } from "../../support/vendor.ts";

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

test("--demo-ai calls no vendor whose key is set, sends no key, and leaves no setting behind", async () => {
  const vendor = await startVendorServer();
  onTestFinished(vendor.close);
  const folder = temporaryFolder();
  const first = await serve(folder, "--demo-ai");
  const own = { apiKey: "own-key", baseUrl: vendor.baseUrl("openai") };
  await post(first, aimodelconfigUpdate, { providers: { openai: own } });
  const providers = async (server: Server) => (await post(server, aimodelconfigGet, {})).result.data.providers;
  const set = await providers(first);
  expect(set.openai).toMatchObject({ baseUrl: own.baseUrl });
  expect(set.gemini).toEqual({ apiKey: "", baseUrl: "", model: "" });
  const ask = async (server: Server, model: string) =>
    (await post(server, askAi, { model, prompt: "Make this friendlier.", text: "Send it." })).result;
  expect(await ask(first, "gpt-5-mini")).toMatchObject({ success: true, text: expect.stringContaining("canned") });
  expect(vendor.requests).toEqual([]);
  expect(await stopped(first, "SIGTERM")).toBe(0);

  const second = await serve(folder);
  expect(await providers(second)).toEqual(set);
  expect(await ask(second, "gpt-5-mini")).toMatchObject({ success: true, text: "Hello." });
  expect(vendor.requests).toMatchObject([{ apiKey: "own-key" }]);
  expect(await stopped(second, "SIGTERM")).toBe(0);
});

test("--demo-ai is refused with --strict-egress, which would block its replies", async () => {
  const { stderr, exit } = run(["--demo-ai", "--strict-egress"]);
  expect(await stderr).toMatch(/^--demo-ai does not work with --strict-egress/);
  expect(await exit).toBe(1);
});

import { expect, test } from "vitest";
import { agentsExtract } from "../../../functions/ai/agents-extract.ts";
import { askAi } from "../../../functions/ai/ask-ai.ts";
import { judgmentsAdd } from "../../../functions/ai/judgments-add.ts";
import { memoryAsk } from "../../../functions/ai/memory-ask.ts";
import { requestExample } from "../../../lib/openapi/document.ts";
import { serve, stopped } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

test("--demo-ai lets endpoints with a model reply without an account, and marks the reply as canned", async () => {
  const server = await serve(await temporaryFolder(), "--demo-ai");
  const { url, apiKey, authToken } = server.ready;
  const call = async (endpoint: { path: string }, data: unknown = requestExample(endpoint as never)) => {
    const headers = {
      "content-type": "application/json",
      "x-service-api-key": apiKey,
      "x-service-auth-token": authToken,
    };
    const response = await fetch(url + endpoint.path, { method: "POST", headers, body: JSON.stringify({ data }) });
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
    return (await response.json()) as any;
  };
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

import { expect, it } from "vitest";
import { aimodelconfigGet, handler } from "../../../functions/models-and-agents/aimodelconfig-get.ts";
import { purposes, seal } from "../../../lib/secrets.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { must, newWorkspace } from "../../support/call.ts";
import { callSource, mocked } from "../../support/workspace.ts";

it("masks a key that the administration command set, and returns no sealed value", async () => {
  const as = await newWorkspace();
  const sealed = await seal("sk-secret", { workspace: as.apiKey, purpose: purposes.aiKey.gemini });
  await Setting.change({ workspace: as.apiKey }, "ai", undefined, () => ({ geminiApiKeySealed: sealed }));
  const reply = await must(aimodelconfigGet, { as, data: {} });
  expect(reply.providers.gemini).toEqual({ apiKey: "••••••••", baseUrl: "", model: "" });
  expect(JSON.stringify(reply)).not.toContain(sealed);
});

it("makes one read, and no call to KMS", async () => {
  const aws = mockAws(mocked.rows);
  await callSource(handler, aimodelconfigGet, {});
  expect(aws.calls()).toEqual([expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#ai$/)]);
  aws.restore();
});

import { startDemoAi } from "../../infra/local/demo-ai.ts";
import type { AiVendor } from "../../lib/schema/setting-names.ts";
import * as Setting from "../../lib/store/setting.ts";

/** Starts a local model, with keys of all vendors in the workspace's settings. `vendor`: the workspace's default. */
export async function startModel(workspace: string, vendor?: AiVendor): Promise<{ close(): void }> {
  // Otherwise the demo would keep the key of a furnished workspace, whose address no server has.
  const own = { openaiApiKeySealed: "", openaiBaseUrl: "", ...(vendor && { defaultProvider: vendor }) };
  await Setting.change({ workspace }, "ai", undefined, () => own);
  return startDemoAi(workspace);
}

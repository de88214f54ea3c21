import * as z from "zod/mini";
import { ModelConfig, ModelConfigChange, maskedModelConfig } from "../../lib/ai/model-config.ts";
import { aiKeyGrants } from "../../lib/grants.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { unmasked } from "../../lib/schema/header-value.ts";
import { aiVendors } from "../../lib/schema/setting-names.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import { purposes, seal } from "../../lib/secrets.ts";
import * as Setting from "../../lib/store/setting.ts";

export const aimodelconfigUpdate = endpoint({
  name: "aimodelconfig-update",
  path: "/v2/workspace/aimodelconfig/update",
  summary: "Update the AI configuration",
  description:
    "Set API keys, base URLs and default models of the AI vendors; omitted fields keep their values, but a base URL with another origin removes the stored key.",
  settings: ["ai"],
  grants: ["table:read", "table:write", ...aiKeyGrants("seal")],
  data: ModelConfigChange.check(
    z.refine(({ providers, defaultProvider }) => providers !== undefined || defaultProvider !== undefined, {
      error: "Give providers or defaultProvider.",
      when: whenValid("providers", "defaultProvider"),
    }),
  ),
  example: {
    providers: { anthropic: { model: "claude-haiku-4-5" } },
    defaultProvider: "openai",
  },
  reply: ModelConfig,
  message: "AI model configuration updated.",

  async handle({ data, caller }) {
    const { workspace } = caller;
    const changes: Partial<Setting.Settings["ai"]> = {};
    for (const vendor of aiVendors) {
      const { apiKey, baseUrl, model } = data.providers?.[vendor] ?? {};
      if (baseUrl !== undefined) changes[`${vendor}BaseUrl`] = baseUrl.replace(/(?<!\/)\/+$/, "");
      if (model !== undefined) changes[`${vendor}Model`] = model;
      if (apiKey === "") changes[`${vendor}ApiKeySealed`] = "";
    }
    if (data.defaultProvider !== undefined) changes.defaultProvider = data.defaultProvider;
    // After all checks, so that a refused request costs no call to KMS.
    for (const vendor of aiVendors) {
      const apiKey = unmasked(data.providers?.[vendor]?.apiKey);
      const context = { workspace, purpose: purposes.aiKey[vendor] };
      if (apiKey) changes[`${vendor}ApiKeySealed`] = await seal(apiKey, context);
    }
    return maskedModelConfig(await Setting.change(caller.ref, "ai", await caller.setting("ai"), () => changes));
  },
});
export const handler = lambda(aimodelconfigUpdate);

// Chooses the model of a call. Separate from the call, so that reading the choice does not load the SDK.
import { type AiVendor, aiVendors } from "../schema/setting-names.ts";
import type { Settings } from "../store/setting.ts";
import { vendors } from "./vendors.ts";

export interface Choice {
  vendor: AiVendor;
  model: string;
  baseUrl: string;
  /** Empty: the workspace has no key for the vendor. */
  apiKeySealed: string;
}

/**
 * Vendor: the wanted one, else the workspace's default, else the first with a key. Model: the wanted one, else the
 * workspace's, else the vendor's default (DECISIONS.md#model-choice-and-failures).
 */
export function choose(
  ai: Settings["ai"],
  wanted: { vendor?: AiVendor | undefined; model?: string | undefined },
): Choice {
  const withKey = aiVendors.find((each) => ai[`${each}ApiKeySealed`] !== "");
  const vendor = wanted.vendor ?? (ai.defaultProvider || withKey || "openai");
  return {
    vendor,
    model: wanted.model ?? (ai[`${vendor}Model`] || vendors[vendor].defaultModel),
    baseUrl: ai[`${vendor}BaseUrl`] || vendors[vendor].baseUrl,
    apiKeySealed: ai[`${vendor}ApiKeySealed`],
  };
}

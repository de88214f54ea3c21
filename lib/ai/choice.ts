// Chooses the model of a call. Separate from the call, so that reading the choice does not load the SDK.
import { config } from "../config.ts";
import { vendors } from "../schema/ai-vendors.ts";
import { type AiVendor, aiVendors } from "../schema/setting-names.ts";
import type { Settings } from "../store/setting.ts";

export interface Choice {
  vendor: AiVendor;
  model: string;
  baseUrl: string;
  /** Empty: the workspace has no key for the vendor, or a stand-in without a key replaces the vendor. */
  apiKeySealed: string;
  isStandIn: boolean;
}

/**
 * The vendor is the wanted one, else the workspace's default, else the first vendor with a key. The model is the wanted
 * one, else the workspace's, else the vendor's default (DECISIONS.md#model-choice-and-failures).
 */
export function choose(
  ai: Settings["ai"],
  wanted: { vendor?: AiVendor | undefined; model?: string | undefined },
): Choice {
  const withKey = aiVendors.find((each) => ai[`${each}ApiKeySealed`] !== "");
  const vendor = wanted.vendor ?? (ai.defaultProvider || withKey || "openai");
  const model = wanted.model ?? (ai[`${vendor}Model`] || vendors[vendor].defaultModel);
  const standIn = config.aiStandInUrl();
  if (standIn) {
    const { pathname } = new URL(vendors[vendor].baseUrl);
    return { vendor, model, baseUrl: `${standIn}/${vendor}${pathname}`, apiKeySealed: "", isStandIn: true };
  }
  return {
    vendor,
    model,
    baseUrl: ai[`${vendor}BaseUrl`] || vendors[vendor].baseUrl,
    apiKeySealed: ai[`${vendor}ApiKeySealed`],
    isStandIn: false,
  };
}

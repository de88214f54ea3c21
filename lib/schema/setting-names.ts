// Names in a workspace's settings. Separate from the settings, so that the administration command can list them in its
// help without loading an SDK.
import type { AiVendor } from "../purposes.ts";

export const switchNames = ["advancedQueries", "notifications", "advancedWebhooks", "browser", "live"] as const;
export type Switch = (typeof switchNames)[number];

/** How a workspace turns a switch on, for the message of a call that needs it. */
export function howToTurnOn(name: Switch): string {
  return name === "advancedWebhooks"
    ? 'Call /v2/workspace/advancedwebhookconfig/update with {"data": {"isEnabled": true}}.'
    : `An operator turns it on with: npm run admin -- switch set ${name} on.`;
}

/**
 * The vendors of language models. A workspace can have a key for each. Without a default vendor, it uses the first
 * vendor in this order that has a key.
 */
export const aiVendors = ["openai", "anthropic", "gemini"] as const satisfies AiVendor[];
export type { AiVendor };

/** `external`: the customer's provider sends. `custom`: set by the first enabling. */
export const emailServiceTypes = ["default", "external", "custom"] as const;
export type EmailServiceType = (typeof emailServiceTypes)[number];

// Names within a workspace's settings. Apart from the store, so that the administration command can list them in its
// help without loading an SDK.
export const switchNames = ["advancedQueries", "notifications", "advancedWebhooks"] as const;
export type Switch = (typeof switchNames)[number];

/** Whose models a workspace can have a key for. */
export const aiVendors = ["openai", "anthropic", "gemini"] as const;
export type AiVendor = (typeof aiVendors)[number];

/** `external`: a provider of the customer's sends. `custom`: what the first enabling sets. */
export const emailServiceTypes = ["default", "external", "custom"] as const;
export type EmailServiceType = (typeof emailServiceTypes)[number];

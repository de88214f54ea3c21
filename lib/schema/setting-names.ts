// Names in a workspace's settings. A file of its own, so that the administration command can list them in its help
// without loading an SDK.
export const switchNames = ["advancedQueries", "notifications", "advancedWebhooks"] as const;
export type Switch = (typeof switchNames)[number];

/** The vendors of language models. A workspace can have a key for each. */
export const aiVendors = ["openai", "anthropic", "gemini"] as const;
export type AiVendor = (typeof aiVendors)[number];

/** `external`: a provider of the customer sends. `custom`: set by the first enabling. */
export const emailServiceTypes = ["default", "external", "custom"] as const;
export type EmailServiceType = (typeof emailServiceTypes)[number];

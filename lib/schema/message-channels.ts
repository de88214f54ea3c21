/** How messages leave the service. */
export const messageChannels = ["email", "slack"] as const;
export type MessageChannel = (typeof messageChannels)[number];

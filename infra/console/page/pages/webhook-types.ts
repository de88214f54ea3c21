// Webhook endpoints and deliveries, as the API has them.
import { load } from "../api.ts";
import type { Tone } from "../components/status.tsx";

export const webhooks = "v2/workspace/advancedwebhook";

/** Whether the workspace sends webhooks at all. If not, the API refuses each call about endpoints and deliveries. */
export async function areWebhooksOn(signal: AbortSignal): Promise<boolean> {
  const config = await load<{ isEnabled: boolean }>("v2/workspace/advancedwebhookconfig/get", {}, signal);
  return config.isEnabled;
}

export interface Endpoint {
  id: string;
  url: string;
  description: string;
  filterTypes: string[];
  channels: string[] | null;
  disabled: boolean;
  rateLimit: number | null;
  uid: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface Attempt {
  at: string;
  durationMs: number;
  code: number | null;
  /** The first kilobyte of the reply. */
  answer: string | null;
  error: string | null;
}

export interface Delivery {
  webhookId: string;
  event: string;
  createdAt: string;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  durationMs: number | null;
  code: number | null;
  error: string | null;
  payload?: string | null;
  attemptLog?: Attempt[];
}

/** The state of a delivery as a word and its colour. */
export function stateOf({ status, attempts }: Delivery): [Tone, string] {
  if (status === "delivered") return ["good", "Delivered"];
  if (status === "failed") return ["bad", "Failed"];
  return attempts > 0 ? ["warn", "Being retried"] : ["busy", "Waiting"];
}

// Webhook endpoints and deliveries, as the API has them.
import { load } from "../api.ts";
import type { Tone } from "../components/text.tsx";
import { plural } from "../format.ts";

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
  createdAt: string;
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

/** Only the newest deliveries count: an endpoint that works again needs nothing. */
const recentMax = 12;

/** How the newest deliveries went. `text` is undefined if none has failed. */
export async function recentOf(endpointId: string, signal: AbortSignal) {
  const data = { endpointId, pageSize: recentMax };
  const { deliveries } = await load<{ deliveries: Delivery[] }>(`${webhooks}/deliveries/get`, data, signal);
  const of = (state: string) => deliveries.filter((each) => stateOf(each)[1] === state).length;
  const [failed, retried] = [of("Failed"), of("Being retried")];
  const parts = [failed > 0 && `${failed} failed for good`, retried > 0 && `${retried} being retried`].filter(Boolean);
  const last = `of the last ${plural(deliveries.length, "delivery", "deliveries")}, ${parts.join(", ")}`;
  return { deliveries: deliveries.length, failed, text: parts.length > 0 ? last : undefined };
}

// Webhook endpoints and deliveries, as the API has them.
import { load } from "../api.ts";
import type { Tone } from "../types.ts";

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
  disabledReason: string | null;
  pausedUntil: string | null;
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
  organizationId: string | null;
  documentId: string | null;
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

/** An attempt that is due soon is not moved. */
const soonMs = 60_000;

/** Whether "Send again" changes anything. */
export const canSendAgain = ({ status, nextAttemptAt }: Delivery, now: number): boolean =>
  status === "failed" || (status === "pending" && Date.parse(nextAttemptAt ?? "") > now + soonMs);

/** As many as a page of the API has. */
const shownMax = 100;

/** What to say of an endpoint's deliveries. */
export interface Trouble {
  /** Undefined: none was found. */
  text: string | undefined;
  hasFailed: boolean;
  /** False: the log is long, and only its newest part was read. */
  isWhole: boolean;
}

/** Looks for deliveries that have failed and were not sent again, however old they are, and for those being retried. */
export async function troubleOf(endpointId: string, signal: AbortSignal): Promise<Trouble> {
  type Page = { deliveries: Delivery[]; nextPageToken: string | null };
  const get = (status: string) =>
    load<Page>(`${webhooks}/deliveries/get`, { endpointId, status, pageSize: shownMax }, signal);
  const [failed, pending] = await Promise.all([get("failed"), get("pending")]);
  const retried = pending.deliveries.filter(({ attempts }) => attempts > 0).length;
  const more = failed.nextPageToken !== null && failed.deliveries.length > 0 ? " or more" : "";
  const hasFailed = failed.deliveries.length > 0;
  const parts = [
    hasFailed && `${failed.deliveries.length}${more} failed for good`,
    retried > 0 && `${retried} being retried`,
  ];
  return { text: parts.filter(Boolean).join(", ") || undefined, hasFailed, isWhole: failed.nextPageToken === null };
}

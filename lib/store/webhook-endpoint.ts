// Webhook endpoints, and the summary of what they want. A change of one writes the summary in the same transaction, on
// the condition that no other change has come between: so it is exact, and where nobody listens no event costs anything.
import { callSignal } from "../call.ts";
import { backoff } from "../concurrency.ts";
import { fitting } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import type { Condition, Write } from "../dynamodb/write.ts";
import { ApiError } from "../errors.ts";
import { type Consequences, commit } from "../jobs/commit.ts";
import { everyEvent } from "../jobs/outbox.ts";
import { type Key, keys } from "./keys.ts";
import * as Setting from "./setting.ts";

export interface WebhookEndpoint {
  id: string;
  url: string;
  description?: string | undefined;
  filterTypes?: string[] | undefined;
  channels?: string[] | undefined;
  disabled: boolean;
  rateLimit?: number | undefined;
  uid?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  createdAt: string;
  updatedAt: string;
  /** Sealed for `secretPurpose`, the current one first; an earlier one signs too until its time (ms since the epoch). */
  secrets: { sealed: string; until?: number }[];
  /** Since when (ms since the epoch) no delivery has succeeded, and ids of the first messages that failed. */
  failingSince?: number | undefined;
  failedMessages?: string[] | undefined;
}

export const secretPurpose = "webhook-secret";

/** Types in the summary above which it says that all are wanted: it is read with every call that can cause events. */
const summaryTypesMax = 100;
const attemptsMax = 20;

export async function get(workspace: string, id: string): Promise<WebhookEndpoint | undefined> {
  return Table.get<WebhookEndpoint>(keys.webhookEndpoint(workspace, id));
}

/** NOT_FOUND where there is none. */
export async function existing(workspace: string, id: string): Promise<WebhookEndpoint> {
  const endpoint = await get(workspace, id);
  if (!endpoint) throw notFound();
  return endpoint;
}

export const notFound = () => new ApiError("NOT_FOUND", "The webhook endpoint does not exist.");

/** The endpoint with whether its workspace has webhooks switched on, in one request. */
export async function getForDelivery(workspace: string, id: string) {
  const [endpoint, switches] = await Promise.all([get(workspace, id), Setting.get(workspace, "switches")]);
  return { endpoint, isOn: switches.advancedWebhooks };
}

const prefix = keys.webhookEndpoint("", "").sk;

/** All of a workspace's. */
export async function list(workspace: string): Promise<WebhookEndpoint[]> {
  const { pk } = keys.webhookEndpoint(workspace, "");
  return (await Array.fromAsync(Table.all<WebhookEndpoint>({ pk, beginsWith: prefix }))).flat();
}

/** Up to `limit`, in the order of their ids; `next` is the id to go on after. */
export async function page(workspace: string, limit: number, after?: string) {
  const from = after === undefined ? {} : { after: keys.webhookEndpoint(workspace, after).sk };
  const { pk } = keys.webhookEndpoint(workspace, "");
  const { items, next } = await Table.query<WebhookEndpoint>({ pk, beginsWith: prefix, limit, ...from });
  const count = fitting(items);
  const hasMore = count < items.length || next !== undefined;
  return { items: items.slice(0, count), next: hasMore ? items[count - 1]?.id : undefined };
}

/** Changes what the summary does not depend on. False: there is no such endpoint (as `if` has it). */
export async function update(
  workspace: string,
  id: string,
  changes: Changes,
  condition: Condition = "present",
): Promise<boolean> {
  return commit([updating(workspace, id, changes, condition)]);
}

export const creating = (workspace: string, endpoint: WebhookEndpoint): Write => ({
  put: { ...keys.webhookEndpoint(workspace, endpoint.id), ...endpoint },
  if: "absent",
});

export const removing = (workspace: string, id: string): Write => ({
  delete: keys.webhookEndpoint(workspace, id),
  if: "present",
});

type Changes = Pick<Extract<Write, { update: Key }>, "set" | "remove">;

export function updating(workspace: string, id: string, changes: Changes, condition: Condition = "present"): Write {
  return { update: keys.webhookEndpoint(workspace, id), ...changes, if: condition };
}

/** What the summary is made from. */
export interface Standing {
  switches: Setting.Settings["switches"];
  webhooks: Setting.Settings["webhooks"];
}

export interface Plan extends Consequences {
  writes: Write[];
  /** The endpoints as they will be; what the summary is made from. */
  endpoints: WebhookEndpoint[];
  /** Whether webhooks will be switched on, where that changes. */
  isOn?: boolean;
}

/** Decided again on a fresh reading whenever another change came first; what it throws is thrown. */
export async function change(
  workspace: string,
  decide: (endpoints: WebhookEndpoint[]) => Plan | undefined | Promise<Plan | undefined>,
  standing?: Standing,
): Promise<boolean> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (attempt > 0) await backoff(attempt, callSignal());
    // The version before the endpoints: a change between the two readings then loses this one its condition.
    const { switches, webhooks } = (attempt === 0 && standing) || (await readStanding(workspace));
    const plan = await decide(await list(workspace));
    if (!plan) return false;
    const { writes, endpoints, isOn = switches.advancedWebhooks, ...consequences } = plan;
    const wantedEvents = isOn ? wantedBy(endpoints) : [];
    const set = { wantedEvents, version: webhooks.version + 1 };
    const unchanged = { version: webhooks.version || undefined };
    const summary: Write = { update: keys.setting(workspace, "webhooks"), set, if: unchanged };
    if (await commit([...writes, summary], consequences)) return true;
  }
  throw new ApiError("UNAVAILABLE", "The webhook endpoints are being changed by others. Try again.");
}

async function readStanding(workspace: string): Promise<Standing> {
  const [switches, webhooks] = await Promise.all([
    Setting.get(workspace, "switches"),
    Setting.get(workspace, "webhooks"),
  ]);
  return { switches, webhooks };
}

/** An endpoint without `filterTypes` wants all. */
function wantedBy(endpoints: readonly WebhookEndpoint[]): string[] {
  const types = new Set(
    endpoints.filter(({ disabled }) => !disabled).flatMap(({ filterTypes }) => filterTypes ?? [everyEvent]),
  );
  return types.has(everyEvent) || types.size > summaryTypesMax ? [everyEvent] : [...types].sort();
}

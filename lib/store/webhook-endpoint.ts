// Webhook endpoints, and the summary of the events that they want. A change of what an endpoint receives writes the
// summary in the same transaction, on the condition that no other change came first. So the summary is exact, and a
// workspace without endpoints writes no events. By the summary's version, a container knows whether the list
// that it keeps is current (`webhooks/endpoint-list.ts`).
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import type { Page } from "../dynamodb/page.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import type { Condition, Write } from "../dynamodb/write.ts";
import { type Consequences, commit } from "../jobs/commit.ts";
import { everyEvent } from "../jobs/outbox.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";
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
  /** Sealed, the current one first. An earlier one also signs, until its time (ms since the epoch). */
  secrets: { sealed: string; until?: number }[];
  /** The time since which no delivery has succeeded, ms since the epoch. */
  failingSince?: number | undefined;
  /** The ids of the first messages that have failed since then. */
  failedMessages?: string[] | undefined;
}

export interface EndpointRef extends WorkspaceRef {
  endpointId: string;
}

export const webhookEndpointEntity = entity<WebhookEndpoint>()({
  name: "webhook-endpoint",
  attributes: {
    id: true,
    url: true,
    description: true,
    filterTypes: true,
    channels: true,
    disabled: true,
    rateLimit: true,
    uid: true,
    metadata: true,
    createdAt: true,
    updatedAt: true,
    secrets: true,
    failingSince: true,
    failedMessages: true,
  },
  // A partition of its own: the list is read often, and the workspace's partition has the credentials of every call.
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#HOOKS`,
  sk: ({ endpointId }: { endpointId: string }) => segment(endpointId),
});

/** The partition of an endpoint's rate, and the prefix of the partitions of its deliveries. */
export const endpointPartition = ({ endpointId, ...ref }: EndpointRef) =>
  `${workspacePartition(ref)}#HOOK#${segment(endpointId)}`;

/** With more types, the summary has `everyEvent`. It must be small: every call that can cause events reads it. */
const summaryTypesMax = 100;

export async function get(ref: EndpointRef): Promise<WebhookEndpoint | undefined> {
  return Table.get<WebhookEndpoint>(webhookEndpointEntity.key(ref));
}

/** The endpoint, and whether webhooks are switched on in its workspace. One request reads both. */
export async function getForDelivery(ref: EndpointRef) {
  const [endpoint, switches] = await Promise.all([get(ref), Setting.get(ref, "switches")]);
  return { endpoint, isOn: switches.advancedWebhooks };
}

/** All endpoints of a workspace. */
export async function list(ref: WorkspaceRef): Promise<WebhookEndpoint[]> {
  return (await Array.fromAsync(Table.all<WebhookEndpoint>(webhookEndpointEntity.range(ref)))).flat();
}

/** One page of a workspace's endpoints, ordered by id. */
export async function page(ref: WorkspaceRef, limit: number, from?: string): Promise<Page<WebhookEndpoint>> {
  return Table.page<WebhookEndpoint>(webhookEndpointEntity.range(ref), limit, from);
}

type Changes = Parameters<typeof webhookEndpointEntity.update>[1];

/**
 * Changes fields that do not decide which events the endpoint receives. Returns false if the condition fails. Default:
 * the endpoint exists.
 */
export async function update(ref: EndpointRef, changes: Changes, condition?: Condition): Promise<boolean> {
  return commit([updating(ref, changes, condition)]);
}

export const creating = (ref: WorkspaceRef, endpoint: WebhookEndpoint): Write =>
  webhookEndpointEntity.put({ ...ref, endpointId: endpoint.id }, endpoint, "absent");

export const removing = (ref: EndpointRef): Write => webhookEndpointEntity.delete(ref, "present");

export function updating(ref: EndpointRef, changes: Changes, condition: Condition = "present"): Write {
  return webhookEndpointEntity.update(ref, changes, condition);
}

/** The settings on which the summary depends. */
export interface WebhookSettings {
  switches: Setting.Settings["switches"];
  webhooks: Setting.Settings["webhooks"];
}

export interface Plan extends Consequences {
  writes: Write[];
  /** The endpoints after the change, for the summary. */
  endpoints: WebhookEndpoint[];
  /** Whether webhooks are switched on after the change. By default as before. */
  isOn?: boolean;
}

/**
 * Changes endpoints together with the summary. When another change came first, `decide` runs again with the new
 * endpoints. When `decide` returns undefined, there is nothing to change, and the result is false. `known` saves the
 * first read of the settings.
 */
export async function change(
  ref: WorkspaceRef,
  decide: (endpoints: WebhookEndpoint[]) => Plan | undefined | Promise<Plan | undefined>,
  known?: WebhookSettings,
): Promise<boolean> {
  return retryOnConflict("webhook endpoints", async (attempt) => {
    // The version is read before the endpoints: a change between the two reads makes the condition fail.
    const { switches, webhooks } = (attempt === 0 && known) || (await readSettings(ref));
    const plan = await decide(await list(ref));
    if (!plan) return false;
    const { writes, endpoints, isOn = switches.advancedWebhooks, ...consequences } = plan;
    const wantedEvents = isOn ? eventsWantedBy(endpoints) : [];
    const set = { wantedEvents, version: webhooks.version + 1 };
    const name = { ...ref, setting: "webhooks" } as const;
    const summary = Setting.settingEntity.update(name, { set }, { version: webhooks.version || undefined });
    return (await commit([...writes, summary], consequences)) || conflict;
  });
}

async function readSettings(ref: WorkspaceRef): Promise<WebhookSettings> {
  const [switches, webhooks] = await Promise.all([Setting.get(ref, "switches"), Setting.get(ref, "webhooks")]);
  return { switches, webhooks };
}

/** The summary. An endpoint without `filterTypes` wants all types. */
function eventsWantedBy(endpoints: readonly WebhookEndpoint[]): string[] {
  const types = new Set(
    endpoints.filter(({ disabled }) => !disabled).flatMap(({ filterTypes }) => filterTypes ?? [everyEvent]),
  );
  return types.has(everyEvent) || types.size > summaryTypesMax ? [everyEvent] : [...types].sort();
}

// Webhook endpoints. `webhooks/change-endpoints.ts` changes which events an endpoint receives.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import type { Page } from "../../dynamodb/page.ts";
import { pageOfItems } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Condition, Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";
import * as Setting from "../setting.ts";

export interface WebhookEndpoint {
  id: string;
  url: string;
  description?: string | undefined;
  filterTypes?: string[] | undefined;
  channels?: string[] | undefined;
  disabled: boolean;
  /** Why the service has disabled the endpoint. */
  disabledReason?: string | undefined;
  /** Before this time, no attempt starts, ms since the epoch. */
  pausedUntil?: number | undefined;
  rateLimit?: number | undefined;
  uid?: string | undefined;
  /** As JSON: its names are the client's. */
  metadata?: string | undefined;
  createdAt: string;
  updatedAt: string;
  /** Sealed secrets, the current one first. An earlier secret also signs, until its time (ms since the epoch). */
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
  attributes: [
    "id",
    "url",
    "description",
    "filterTypes",
    "channels",
    "disabled",
    "disabledReason",
    "pausedUntil",
    "rateLimit",
    "uid",
    "metadata",
    "createdAt",
    "updatedAt",
    "secrets",
    "failingSince",
    "failedMessages",
  ],
  // A partition of its own: the list is read often, and the workspace's partition has the credentials of every call.
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#HOOKS`,
  sk: ({ endpointId }: { endpointId: string }) => segment(endpointId),
});

/** The partition of an endpoint's rate, and the prefix of the partitions of its deliveries. */
export const endpointPartition = ({ endpointId, ...ref }: EndpointRef) =>
  `${workspacePartition(ref)}#HOOK#${segment(endpointId)}`;

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
  return Table.every<WebhookEndpoint>(webhookEndpointEntity.range(ref));
}

/** One page of a workspace's endpoints, ordered by id. */
export async function page(ref: WorkspaceRef, limit: number, from?: string): Promise<Page<WebhookEndpoint>> {
  return pageOfItems(webhookEndpointEntity, ref, { limit, from });
}

type Changes = Parameters<typeof webhookEndpointEntity.update>[1];

/**
 * Changes fields that do not decide which events the endpoint receives. Returns false if the condition fails. Default:
 * the endpoint exists.
 */
export async function update(ref: EndpointRef, changes: Changes, condition?: Condition): Promise<boolean> {
  return writeAll([updating(ref, changes, condition)]);
}

export const creating = (ref: WorkspaceRef, endpoint: WebhookEndpoint): Write =>
  webhookEndpointEntity.put({ ...ref, endpointId: endpoint.id }, endpoint, "absent");

export const removing = (ref: EndpointRef): Write => webhookEndpointEntity.delete(ref, "present");

export function updating(ref: EndpointRef, changes: Changes, condition: Condition = "present"): Write {
  return webhookEndpointEntity.update(ref, changes, condition);
}

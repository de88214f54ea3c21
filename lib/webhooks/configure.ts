// Creates, changes and removes webhook endpoints. A change that lets deliveries resume also writes the job that wakes
// them.
import { config } from "../config.ts";
import { purgeJob } from "../deletion/purge-job.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { type ApiError, beyondLimit } from "../errors.ts";
import { newId } from "../new-id.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { settingEntity } from "../store/setting.ts";
import { endpointDescendants } from "../store/webhooks/delivery.ts";
import * as WebhookEndpoint from "../store/webhooks/webhook-endpoint.ts";
import { changeEndpoints, type WebhookSettings } from "./change-endpoints.ts";
import { wakeJob } from "./endpoint-jobs.ts";
import { endpointNotFound, existingEndpoint } from "./endpoint-record.ts";
import { firstEnd, newSecret, rotated, sealedSecret } from "./endpoint-secrets.ts";

type Endpoint = WebhookEndpoint.WebhookEndpoint;
/** The fields of a request. */
export type EndpointFields = {
  [Field in "url" | "disabled" | "uid"]?: Endpoint[Field] | undefined;
} & { [Field in Exclude<(typeof clearable)[number], "metadata">]?: Endpoint[Field] | null | undefined } & {
  metadata?: object | null | undefined;
};

/** Null clears these fields. */
const clearable = ["description", "filterTypes", "channels", "rateLimit", "metadata"] as const;

/** What was learned of an address, or of an endpoint before it was disabled. */
const health = ["failingSince", "failedMessages", "pausedUntil"] as const;

/** Throws RESOURCE_EXHAUSTED if the workspace has as many endpoints as the deployment allows. */
export async function createEndpoint(
  { workspace }: WorkspaceRef,
  fields: EndpointFields & { url: string },
  settings: WebhookSettings,
): Promise<Endpoint> {
  const id = `whe_${newId()}`;
  const createdAt = new Date().toISOString();
  const secrets = [await sealedSecret({ workspace }, newSecret())];
  const draft = {
    id,
    disabled: false,
    ...setFields(fields),
    url: fields.url,
    createdAt,
    updatedAt: createdAt,
    secrets,
  };
  const endpointsMax = config.webhookEndpointsMax();
  let created: Endpoint = draft;
  await changeEndpoints(
    { workspace },
    (endpoints) => {
      // An attempt whose reply was lost may have created the endpoint.
      const existing = endpoints.find((each) => each.id === id);
      created = existing ?? draft;
      if (existing) return undefined;
      // The write has the version of this list as its condition, so concurrent creations cannot exceed the limit.
      if (endpoints.length >= endpointsMax) throw tooMany(endpointsMax);
      return { writes: [WebhookEndpoint.creating({ workspace }, draft)], endpoints: [...endpoints, draft] };
    },
    settings,
  );
  return created;
}

/** Returns the endpoint after the change. Throws NOT_FOUND if there is none. */
export async function updateEndpoint(
  ref: WebhookEndpoint.EndpointRef,
  fields: EndpointFields,
  settings: WebhookSettings,
): Promise<Endpoint> {
  const { workspace, endpointId } = ref;
  const updatedAt = new Date().toISOString();
  const cleared = clearedFields(fields);
  const set = { ...setFields(fields), updatedAt };
  const after = (endpoint: Endpoint, removed: readonly (keyof Endpoint)[]): Endpoint => {
    const kept = Object.entries(endpoint).filter(([field]) => !removed.some((each) => each === field));
    return { ...(Object.fromEntries(kept) as unknown as Endpoint), ...set };
  };
  if ([fields.url, fields.filterTypes, fields.channels, fields.disabled].every((field) => field === undefined)) {
    const endpoint = await existingEndpoint(ref);
    if (!(await WebhookEndpoint.update(ref, { set, remove: cleared }))) throw endpointNotFound();
    return after(endpoint, cleared);
  }
  let updated: Endpoint | undefined;
  await changeEndpoints(
    ref,
    (endpoints) => {
      const endpoint = endpoints.find((each) => each.id === endpointId);
      if (!endpoint) throw endpointNotFound();
      const { disabled, url } = { ...endpoint, ...set };
      const isFresh = url !== endpoint.url || (endpoint.disabled && !disabled);
      const remove = [...cleared, ...(isFresh ? health : []), ...(disabled ? [] : (["disabledReason"] as const))];
      updated = after(endpoint, remove);
      const others = endpoints.filter((each) => each !== endpoint);
      const jobs = isFresh && !disabled ? [wakeJob(workspace, [endpointId])] : [];
      return { writes: [WebhookEndpoint.updating(ref, { set, remove })], endpoints: [...others, updated], jobs };
    },
    settings,
  );
  return updated as unknown as Endpoint;
}

/** Removes the endpoint; a job deletes its deliveries later. Throws NOT_FOUND if there is none. */
export async function removeEndpoint(ref: WebhookEndpoint.EndpointRef, settings: WebhookSettings): Promise<void> {
  // A call with an Idempotency-Key that is repeated can create an endpoint with the same id again.
  const unless = WebhookEndpoint.webhookEndpointEntity.key(ref);
  const jobs = [purgeJob(ref.workspace, endpointDescendants(ref).partitions ?? [], unless)];
  await changeEndpoints(
    ref,
    (endpoints) => {
      const rest = endpoints.filter(({ id }) => id !== ref.endpointId);
      if (rest.length === endpoints.length) throw endpointNotFound();
      return { writes: [WebhookEndpoint.removing(ref)], endpoints: rest, jobs };
    },
    settings,
  );
}

/**
 * Returns the new secret. `endsFormer`: no other secret signs from now on. Throws NOT_FOUND if there is no such endpoint,
 * and RESOURCE_EXHAUSTED if too many former secrets are still valid.
 */
export async function rotateSecret(ref: WebhookEndpoint.EndpointRef, endsFormer = false): Promise<string> {
  const secret = newSecret();
  const next = await sealedSecret(ref, secret);
  return retryOnConflict("webhook endpoint", async () => {
    const { secrets } = await existingEndpoint(ref);
    const now = Date.now();
    const kept = endsFormer ? [next] : rotated(secrets, next, now);
    if (!kept) throw tooManyRotations(secrets, now);
    const set = { secrets: kept, updatedAt: new Date(now).toISOString() };
    // Two concurrent rotations keep both new secrets, since each is returned to a caller.
    return (await WebhookEndpoint.update(ref, { set }, { secrets })) ? secret : conflict;
  });
}

/** Switches webhooks on or off for the workspace. Switching on resumes the deliveries that waited. */
export async function switchWebhooks(
  { workspace }: WorkspaceRef,
  isOn: boolean,
  settings?: WebhookSettings,
): Promise<void> {
  const write = settingEntity.update({ workspace, setting: "switches" }, { set: { advancedWebhooks: isOn } });
  await changeEndpoints(
    { workspace },
    (endpoints) => {
      const woken = isOn ? endpoints.filter(({ disabled }) => !disabled).map(({ id }) => id) : [];
      const jobs = woken.length > 0 ? [wakeJob(workspace, woken)] : [];
      return { writes: [write], endpoints, isOn, jobs };
    },
    settings,
  );
}

function tooMany(endpointsMax: number): ApiError {
  return beyondLimit(`A workspace has at most ${endpointsMax} advanced webhook endpoints. Delete one first.`);
}

function clearedFields(fields: EndpointFields) {
  return clearable.filter((name) => fields[name] === null);
}

/** The fields that a request sets. A new field of the schema is stored only if it is added here. */
function setFields({ url, description, filterTypes, disabled, uid, channels, rateLimit, metadata }: EndpointFields) {
  const stored = metadata && JSON.stringify(metadata);
  const fields = { url, description, filterTypes, disabled, uid, channels, rateLimit, metadata: stored };
  const set = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(set) as Partial<Endpoint>;
}

/** The caller can rotate again when the first of the former secrets has ended. */
function tooManyRotations(secrets: Endpoint["secrets"], now: number): ApiError {
  const message =
    "The four former secrets still sign for up to 24 hours. Rotate later, or send endFormerNow to end them now.";
  return beyondLimit(message, Math.ceil((firstEnd(secrets, now) - now) / 1_000));
}

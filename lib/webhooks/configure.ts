// What can be done to webhook endpoints. What makes deliveries possible again brings a job that wakes them.

import { purgeJob } from "../deletion/purge.ts";
import { invalidField } from "../errors.ts";
import { checkUrl } from "../net/url.ts";
import { newId } from "../new-id.ts";
import { keys } from "../store/keys.ts";
import * as WebhookEndpoint from "../store/webhook-endpoint.ts";
import { newSecret, rotated, sealedSecret } from "./secrets.ts";
import { wakeJob } from "./wake-job.ts";

type Endpoint = WebhookEndpoint.WebhookEndpoint;
/** Fields as a request gives them: null clears. */
export type Fields = {
  [Field in "url" | "description" | "filterTypes" | "disabled" | "uid"]?: Endpoint[Field] | undefined;
} & { [Field in "channels" | "rateLimit" | "metadata"]?: Endpoint[Field] | null | undefined };

export async function createEndpoint(
  workspace: string,
  fields: Fields & { url: string },
  standing: WebhookEndpoint.Standing,
): Promise<Endpoint> {
  mustBeCallable(fields.url);
  const id = `whe_${newId()}`;
  const createdAt = new Date().toISOString();
  const secrets = [await sealedSecret(workspace, newSecret())];
  let created: Endpoint = {
    id,
    disabled: false,
    ...given(fields),
    url: fields.url,
    createdAt,
    updatedAt: createdAt,
    secrets,
  };
  await WebhookEndpoint.change(
    workspace,
    (endpoints) => {
      const former = endpoints.find((each) => each.id === id);
      if (former)
        created = former; // By an earlier try of this call.
      else return { writes: [WebhookEndpoint.creating(workspace, created)], endpoints: [...endpoints, created] };
    },
    standing,
  );
  return created;
}

/** The endpoint after the change. NOT_FOUND where there is none. */
export async function updateEndpoint(
  workspace: string,
  id: string,
  fields: Fields,
  standing: WebhookEndpoint.Standing,
): Promise<Endpoint> {
  if (fields.url !== undefined) mustBeCallable(fields.url);
  const updatedAt = new Date().toISOString();
  const cleared = Object.entries(fields).flatMap(([name, value]) => (value === null ? [name] : []));
  const after = (endpoint: Endpoint): Endpoint => {
    const kept = Object.entries(endpoint).filter(([name]) => !cleared.includes(name));
    return { ...(Object.fromEntries(kept) as unknown as Endpoint), ...given(fields), updatedAt };
  };
  const changes = { set: { ...given(fields), updatedAt }, remove: cleared };
  if (fields.filterTypes === undefined && fields.disabled === undefined) {
    const endpoint = await WebhookEndpoint.existing(workspace, id);
    if (!(await WebhookEndpoint.update(workspace, id, changes))) throw WebhookEndpoint.notFound();
    return after(endpoint);
  }
  let updated: Endpoint | undefined;
  await WebhookEndpoint.change(
    workspace,
    (endpoints) => {
      const endpoint = endpoints.find((each) => each.id === id);
      if (!endpoint) throw WebhookEndpoint.notFound();
      updated = after(endpoint);
      const isEnabled = endpoint.disabled && !updated.disabled;
      // What it failed before it was switched off counts no longer.
      const forgotten = isEnabled ? ["failingSince", "failedMessages"] : [];
      const write = WebhookEndpoint.updating(workspace, id, { ...changes, remove: [...cleared, ...forgotten] });
      const others = endpoints.filter((each) => each !== endpoint);
      const jobs = isEnabled ? [wakeJob(workspace, [id])] : [];
      return { writes: [write], endpoints: [...others, updated], jobs };
    },
    standing,
  );
  return updated as unknown as Endpoint;
}

/** Removes the endpoint at once, and queues the removal of all that hangs from it. NOT_FOUND where there is none. */
export async function removeEndpoint(workspace: string, id: string, standing: WebhookEndpoint.Standing): Promise<void> {
  const partitions = [
    keys.pendingDeliveries(workspace, id),
    keys.deliveryLog(workspace, id, "").pk,
    keys.webhookRate(workspace, id).pk,
  ];
  const jobs = [purgeJob(workspace, partitions)];
  await WebhookEndpoint.change(
    workspace,
    (endpoints) => {
      const left = endpoints.filter((each) => each.id !== id);
      if (left.length === endpoints.length) throw WebhookEndpoint.notFound();
      return { writes: [WebhookEndpoint.removing(workspace, id)], endpoints: left, jobs };
    },
    standing,
  );
}

/** The new secret. NOT_FOUND where there is no such endpoint. */
export async function rotateSecret(workspace: string, id: string): Promise<string> {
  const secret = newSecret();
  const next = await sealedSecret(workspace, secret);
  for (;;) {
    const { secrets } = await WebhookEndpoint.existing(workspace, id);
    const now = Date.now();
    const set = { secrets: rotated(secrets, next, now), updatedAt: new Date(now).toISOString() };
    // Two rotations at once: each of their secrets has been shown to somebody.
    if (await WebhookEndpoint.update(workspace, id, { set }, { secrets })) return secret;
  }
}

/** Switches webhooks on or off for the workspace. What waited while they were off goes on. */
export async function switchWebhooks(
  workspace: string,
  isOn: boolean,
  standing?: WebhookEndpoint.Standing,
): Promise<void> {
  const set = { advancedWebhooks: isOn };
  await WebhookEndpoint.change(
    workspace,
    (endpoints) => {
      const enabled = isOn ? endpoints.filter(({ disabled }) => !disabled) : [];
      const jobs =
        enabled.length > 0
          ? [
              wakeJob(
                workspace,
                enabled.map(({ id }) => id),
              ),
            ]
          : [];
      return { writes: [{ update: keys.setting(workspace, "switches"), set }], endpoints, isOn, jobs };
    },
    standing,
  );
}

function mustBeCallable(url: string): void {
  const problem = checkUrl(url);
  if (problem) throw invalidField(["url"], problem);
}

/** The fields that are set, without those that are to be cleared. */
function given(fields: Fields): Partial<Endpoint> {
  const set = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(set) as Partial<Endpoint>;
}

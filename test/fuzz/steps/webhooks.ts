// Steps on webhooks.
import type { Random } from "../../support/random.ts";
import type { Json } from "../envelope.ts";
import { fails, ok, oneOf, type Step, whole } from "../step.ts";
import type { WebhookEndpoint, WorkspaceModel } from "../workspace-model.ts";

const endpointsMax = 3;

export function switchWebhooks(model: WorkspaceModel, random: Random): Step {
  const isEnabled = !model.areWebhooksOn || random.chance(0.7);
  return {
    endpoint: "advancedwebhookconfig-update",
    data: { isEnabled },
    observe: whole(({ isEnabled }) => isEnabled),
    expect: () => oneOf(isEnabled),
    apply() {
      model.areWebhooksOn = isEnabled;
    },
  };
}

export function getSwitch(model: WorkspaceModel): Step {
  return {
    endpoint: "advancedwebhookconfig-get",
    data: {},
    observe: whole(({ isEnabled }) => isEnabled),
    expect: () => oneOf(model.areWebhooksOn),
  };
}

/** Most want few types of events: each event of a wanted type is work for the server. */
const filters = [["user.delete"], ["documents.none"], ["document.delete", "comment.add"]];

function anyFields(model: WorkspaceModel, random: Random) {
  return {
    url: random.chance(0.8) ? model.receiver : "https://example.invalid/hook#part",
    description: random.from(["Billing", "🦜", undefined]),
    filterTypes: random.from(filters),
    disabled: random.from([true, false, undefined]),
    rateLimit: random.from([1, 50, undefined]),
  };
}

/** A rotation ends no former secret early, so four more are the most. */
const rotationsMax = 4;
const noRotations = { least: 0, most: 0 };

const stored = (url: string) => url.replace(/#.*/, "");

/** Unset fields are compared as absent, in whatever form the service shows them. */
function shown({ url, description, filterTypes, disabled, rateLimit }: Json): unknown {
  return [url, description || null, filterTypes?.length ? filterTypes : null, disabled, rateLimit ?? null];
}

export function createEndpoint(model: WorkspaceModel, random: Random): Step | undefined {
  if (model.webhooks.size >= endpointsMax) return undefined;
  const { url, disabled = false, ...rest } = anyFields(model, random);
  const fields: WebhookEndpoint = { ...rest, url: stored(url), disabled, rotations: noRotations };
  return {
    endpoint: "webhook-endpoints-create",
    data: { ...rest, url, disabled },
    isCreation: true,
    observe: whole(shown),
    expect: () => (model.areWebhooksOn ? oneOf(shown(fields)) : fails("FAILED_PRECONDITION")),
    adopt: ({ data }) => void model.webhooks.set(data.id, fields),
  };
}

export function updateEndpoint(model: WorkspaceModel, random: Random): Step {
  const endpointId = random.from([...model.webhooks.keys(), "missing"]);
  const { url, ...rest } = anyFields(model, random);
  const sent = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const next = () => ({ ...(model.webhooks.get(endpointId) as WebhookEndpoint), ...sent, url: stored(url) });
  return {
    endpoint: "webhook-endpoints-update",
    data: { endpointId, url, ...sent },
    observe: whole(shown),
    expect() {
      if (!model.areWebhooksOn) return fails("FAILED_PRECONDITION");
      return model.webhooks.has(endpointId) ? oneOf(shown(next())) : fails("NOT_FOUND");
    },
    apply() {
      if (model.areWebhooksOn && model.webhooks.has(endpointId)) model.webhooks.set(endpointId, next());
    },
  };
}

export function deleteEndpoint(model: WorkspaceModel, random: Random): Step {
  const endpointId = random.from([...model.webhooks.keys(), "missing"]);
  return {
    endpoint: "webhook-endpoints-delete",
    data: { endpointId },
    expect() {
      if (!model.areWebhooksOn) return fails("FAILED_PRECONDITION");
      return model.webhooks.has(endpointId) ? ok() : fails("NOT_FOUND");
    },
    apply() {
      if (model.areWebhooksOn) model.webhooks.delete(endpointId);
    },
  };
}

export function getEndpoints(model: WorkspaceModel): Step {
  const all = (entries: unknown[]) => entries.map((each) => JSON.stringify(each)).sort();
  return {
    endpoint: "webhook-endpoints-get",
    data: {},
    lists: ["endpoints"],
    observe: whole(({ endpoints }) => all(endpoints.map((each: Json) => [each.id, shown(each)]))),
    expect() {
      if (!model.areWebhooksOn) return fails("FAILED_PRECONDITION");
      return oneOf(all([...model.webhooks].map(([id, each]) => [id, shown(each)])));
    },
  };
}

export function rotateSecret(model: WorkspaceModel, random: Random): Step {
  const endpointId = random.from([...model.webhooks.keys(), "missing"]);
  const found = () => model.webhooks.get(endpointId);
  const { least, most } = found()?.rotations ?? noRotations;
  const isUncertain = least < rotationsMax && most >= rotationsMax;
  const endFormerNow = isUncertain || random.chance(0.3);
  return {
    endpoint: "webhook-secret-rotate",
    data: { endpointId, ...(endFormerNow && { endFormerNow }) },
    expect() {
      if (!model.areWebhooksOn) return fails("FAILED_PRECONDITION");
      const endpoint = found();
      if (!endpoint) return fails("NOT_FOUND");
      return endFormerNow || endpoint.rotations.most < rotationsMax ? ok() : fails("RESOURCE_EXHAUSTED");
    },
    apply(wasLost) {
      const endpoint = found();
      if (!model.areWebhooksOn || !endpoint) return;
      const { least, most } = endpoint.rotations;
      const next = { least: least + 1, most: wasLost ? rotationsMax : most + 1 };
      endpoint.rotations = endFormerNow ? noRotations : next;
    },
  };
}

/** Calls that only need the endpoint to exist, with further fields. */
const onEndpoint = [
  ["webhook-secret-get", {}],
  ["webhook-test", {}],
  ["webhook-deliveries-get", {}],
  ["webhook-deliveries-retry", { failedSince: 1_767_225_600 }],
] as const;

export function useEndpoint(model: WorkspaceModel, random: Random): Step {
  const endpointId = random.from([...model.webhooks.keys(), "missing"]);
  const [endpoint, more] = random.from(onEndpoint);
  return {
    endpoint,
    data: { endpointId, ...more },
    expect() {
      if (!model.areWebhooksOn) return fails("FAILED_PRECONDITION");
      return model.webhooks.has(endpointId) ? ok() : fails("NOT_FOUND");
    },
  };
}

// Changes which events webhook endpoints receive, and the summary of the wanted events. One transaction writes both, on
// the condition that no other change came first. So the summary is exact, and a workspace without endpoints writes no
// events. By the summary's version, a container knows whether the list that it keeps is current (`fan-out-deliveries.ts`).
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import { type Consequences, commit } from "../jobs/commit.ts";
import { everyEvent } from "../schema/interest.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";
import * as WebhookEndpoint from "../store/webhooks/webhook-endpoint.ts";

type Endpoint = WebhookEndpoint.WebhookEndpoint;

/** With more types, the summary has `everyEvent`. It must be small: each call that can cause events reads it. */
const summaryTypesMax = 100;

/** The settings on which the summary depends. */
export interface WebhookSettings {
  switches: Setting.Settings["switches"];
  webhooks: Setting.Settings["webhooks"];
}

interface Plan extends Consequences {
  writes: Write[];
  /** The endpoints after the change, for the summary. */
  endpoints: Endpoint[];
  /** Whether webhooks are switched on after the change. By default as before. */
  isOn?: boolean;
}

/**
 * Changes endpoints together with the summary. When another change came first, `decide` runs again with the new
 * endpoints. When `decide` returns undefined, there is nothing to change, and the result is false. `known` saves the
 * first read of the settings.
 */
export async function changeEndpoints(
  ref: WorkspaceRef,
  decide: (endpoints: Endpoint[]) => Plan | undefined | Promise<Plan | undefined>,
  known?: WebhookSettings,
): Promise<boolean> {
  return retryOnConflict("webhook endpoints", async (attempt) => {
    // The version is read before the endpoints: a change between the two reads makes the condition fail.
    const { switches, webhooks } = (attempt === 0 && known) || (await readSettings(ref));
    const plan = await decide(await WebhookEndpoint.list(ref));
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
function eventsWantedBy(endpoints: readonly Endpoint[]): string[] {
  const types = new Set(
    endpoints.filter(({ disabled }) => !disabled).flatMap(({ filterTypes }) => filterTypes ?? [everyEvent]),
  );
  return types.has(everyEvent) || types.size > summaryTypesMax ? [everyEvent] : [...types].sort();
}

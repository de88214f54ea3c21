import { useLocation } from "preact-iso";
import { change, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Changed } from "../components/changed.tsx";
import { Head, Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { Needs } from "../components/needs.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Status } from "../components/status.tsx";
import { plural } from "../format.ts";
import { useLive } from "../live.ts";
import { usePaged } from "../paged.ts";
import { address } from "../places.ts";
import { useRefusal } from "../session.ts";
import type { Try } from "../try.ts";
import { DeliveryView } from "./delivery.tsx";
import { EndpointView } from "./endpoint.tsx";
import { EndpointAdd } from "./endpoint-add.tsx";
import { areWebhooksOn, type Endpoint, webhooks } from "./webhook-types.ts";

const path = "/console/webhooks";

/** Endpoints, their deliveries, and each attempt. */
export function Webhooks() {
  const { query } = useLocation();
  const { endpoint: endpointId, delivery: deliveryId } = query;
  const refusal = useRefusal("admin");
  const switched = useLive(refusal ? undefined : "webhook config", areWebhooksOn);
  if (refusal)
    return (
      <>
        <Head title="Webhooks" />
        <Needs scope="admin">{null}</Needs>
      </>
    );
  // While they are off, the API shows neither endpoints nor deliveries.
  if (endpointId && deliveryId && switched.data)
    return <DeliveryView key={deliveryId} endpointId={endpointId} deliveryId={deliveryId} />;
  if (endpointId && switched.data) return <EndpointView key={endpointId} endpointId={endpointId} />;
  return (
    <>
      <Head title="Webhooks">{switched.data !== undefined && <Switch isEnabled={switched.data} />}</Head>
      <Loaded live={switched}>
        {(isEnabled) =>
          isEnabled ? (
            <>
              <Part title="Endpoints">
                <Endpoints />
              </Part>
              <EndpointAdd />
            </>
          ) : (
            <Empty title="Webhooks are off.">
              <p>Turn them on to see endpoints and their deliveries, and to add endpoints.</p>
            </Empty>
          )
        }
      </Loaded>
    </>
  );
}

/** Whether the workspace sends webhooks at all. */
function Switch({ isEnabled }: { isEnabled: boolean }) {
  const turn = (attempt: Try) =>
    change("v2/workspace/advancedwebhookconfig/update", { isEnabled: !isEnabled }, attempt);
  return (
    <>
      <Status tone={isEnabled ? "good" : "warn"}>{isEnabled ? "Webhooks are on" : "Webhooks are off"}</Status>
      <Action
        scope="admin"
        run={turn}
        done={isEnabled ? "Webhooks are off." : "Webhooks are on."}
        {...(isEnabled && {
          ask: {
            title: "Turn webhooks off?",
            text: "New events then make no deliveries. What waits is sent when you turn them on again.",
            confirm: "Turn off",
          },
        })}
      >
        {isEnabled ? "Turn off" : "Turn on"}
      </Action>
    </>
  );
}

function Endpoints() {
  const paged = usePaged<Endpoint>("endpoints", async (pageToken, signal) => {
    type Reply = { endpoints: Endpoint[]; nextPageToken: string | null };
    const reply = await load<Reply>(`${webhooks}/endpoints/get`, { pageToken }, signal);
    return { items: reply.endpoints, nextPageToken: reply.nextPageToken };
  });
  return (
    <List
      label="Endpoints"
      paged={paged}
      empty={
        <Empty title="No endpoints yet.">
          <p>An endpoint is a URL of yours that gets the events. Add the first one below.</p>
        </Empty>
      }
    >
      {(each) => (
        <Changed key={each.id} of={each}>
          <span class="grow">
            <a class="title" href={address(path, { endpoint: each.id })}>
              {each.url}
            </a>
            {each.description && <span class="quiet"> {each.description}</span>}
          </span>
          <Recent endpoint={each} />
        </Changed>
      )}
    </List>
  );
}

const recentMax = 12;

/** How the newest deliveries went. */
function Recent({ endpoint }: { endpoint: Endpoint }) {
  const live = useLive(
    endpoint.disabled ? undefined : ["recent", endpoint.id],
    (signal) =>
      load<{ deliveries: { webhookId: string; status: string; attempts: number }[] }>(
        `${webhooks}/deliveries/get`,
        { endpointId: endpoint.id, pageSize: recentMax },
        signal,
      ),
    5_000,
  );
  if (endpoint.disabled) return <Status tone="warn">Disabled</Status>;
  return (
    <Loaded live={live} lines={1}>
      {({ deliveries }) => {
        const failed = deliveries.filter(({ status }) => status === "failed").length;
        const trying = deliveries.filter(({ status, attempts }) => status === "pending" && attempts > 0).length;
        if (deliveries.length === 0) return <Status>No deliveries yet</Status>;
        if (failed + trying === 0) return <Status tone="good">Works</Status>;
        const text = [failed > 0 && `${failed} failed`, trying > 0 && `${trying} being retried`];
        return (
          <Status tone={failed > 0 ? "bad" : "warn"}>
            Of the last {plural(deliveries.length, "delivery", "deliveries")}: {text.filter(Boolean).join(", ")}
          </Status>
        );
      }}
    </Loaded>
  );
}

import { useLocation } from "preact-iso";
import { change, type KeyOf } from "../api.ts";
import { Action, Form } from "../components/action.tsx";
import { Field } from "../components/fields.tsx";
import { Empty, Loaded, Rows } from "../components/list.tsx";
import { Head, Needs, Part, Status } from "../components/page.tsx";
import { useList, useLive } from "../live.ts";
import { useEventTypes } from "../openapi.ts";
import { address } from "../places.ts";
import { useRefusal } from "../session.ts";
import { DeliveryView } from "./delivery.tsx";
import { EndpointView } from "./endpoint.tsx";
import { areWebhooksOn, type Endpoint, troubleOf, webhooks } from "./webhook-types.ts";

const path = "/console/webhooks";

/** Endpoints, their deliveries, and each attempt. */
export function Webhooks() {
  const { endpoint: endpointId, delivery: deliveryId } = useLocation().query;
  const refusal = useRefusal("admin");
  const switched = useLive(refusal ? undefined : "webhook config", areWebhooksOn);
  // While they are off, the API shows neither endpoints nor deliveries.
  if (endpointId && deliveryId && switched.data)
    return <DeliveryView key={deliveryId} endpointId={endpointId} deliveryId={deliveryId} />;
  if (endpointId && switched.data) return <EndpointView key={endpointId} endpointId={endpointId} />;
  return (
    <>
      <Head title="Webhooks">{switched.data !== undefined && <Switch isEnabled={switched.data} />}</Head>
      <Needs scope="admin">
        <Loaded live={switched}>
          {(isEnabled) =>
            isEnabled ? (
              <>
                <Endpoints />
                <EndpointAdd />
              </>
            ) : (
              <Empty title="Webhooks are off.">
                Turn them on to see endpoints and their deliveries, and to add endpoints.
              </Empty>
            )
          }
        </Loaded>
      </Needs>
    </>
  );
}

/** Whether the workspace sends webhooks at all. */
function Switch({ isEnabled }: { isEnabled: boolean }) {
  const turn = (keyOf: KeyOf) => change("v2/workspace/advancedwebhookconfig/update", { isEnabled: !isEnabled }, keyOf);
  const text = "New events then make no deliveries. What waits is sent when you turn them on again.";
  return (
    <>
      <Status tone={isEnabled ? "good" : "warn"}>{isEnabled ? "Webhooks are on" : "Webhooks are off"}</Status>
      <Action
        scope="admin"
        run={turn}
        done={isEnabled ? "Webhooks are off." : "Webhooks are on."}
        {...(isEnabled && { ask: { title: "Turn webhooks off?", text } })}
      >
        {isEnabled ? "Turn off" : "Turn on"}
      </Action>
    </>
  );
}

function Endpoints() {
  const list = useList<Endpoint>(`${webhooks}/endpoints/get`, "endpoints", {});
  return (
    <Part title="Endpoints">
      <Rows
        label="Endpoints"
        list={list}
        empty={<Empty title="No endpoints yet.">An endpoint is a URL of yours that gets the events.</Empty>}
      >
        {(each) => (
          <li key={each.id}>
            <span class="grow">
              <a href={address(path, { endpoint: each.id })}>{each.url}</a>
              <span class="quiet"> {each.description}</span>
            </span>
            {each.disabled && <Status tone="warn">Disabled</Status>}
            {!each.disabled && each.pausedUntil !== null && <Status tone="warn">Paused</Status>}
            <Trouble endpointId={each.id} />
          </li>
        )}
      </Rows>
    </Part>
  );
}

const troubleEveryMs = 10_000;

function Trouble({ endpointId }: { endpointId: string }) {
  const live = useLive(`trouble ${endpointId}`, (signal) => troubleOf(endpointId, signal), troubleEveryMs);
  return (
    <Loaded live={live}>
      {({ text, hasFailed, isWhole }) => {
        if (text !== undefined) return <Status tone={hasFailed ? "bad" : "warn"}>{text}</Status>;
        return <Status tone="good">{isWhole ? "No failed delivery" : "No failed delivery among the newest"}</Status>;
      }}
    </Loaded>
  );
}

/** Leads to the page of the endpoint, which says what to do next. */
function EndpointAdd() {
  const { route } = useLocation();
  const eventTypes = useEventTypes();
  const add = async (fields: FormData, keyOf: KeyOf) => {
    const [url, description, filterTypes] = [
      fields.get("url"),
      fields.get("description"),
      fields.getAll("filterTypes"),
    ];
    const data = { url, ...(description && { description }), ...(filterTypes.length > 0 && { filterTypes }) };
    const { id } = await change<Endpoint>(`${webhooks}/endpoints/create`, data, keyOf);
    route(address(path, { endpoint: id }));
  };
  return (
    <Part title="Add an endpoint">
      <p class="quiet">Each event is sent there as a signed request. The page of the endpoint then has the secret.</p>
      <Form scope="admin" run={add} done="Endpoint added." submit="Add endpoint">
        <Field label="URL" name="url" type="url" placeholder="https://example.com/hooks" required />
        <Field label="Description" name="description" placeholder="optional" />
        <label class="field">
          <span>Events: all, unless you choose some</span>
          <select name="filterTypes" multiple size={6}>
            {eventTypes.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
      </Form>
    </Part>
  );
}

import { useLocation } from "preact-iso";
import { change, type KeyOf } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Choice } from "../components/fields.tsx";
import { Empty, Rows } from "../components/list.tsx";
import { Attempts, Part, Status, Time } from "../components/page.tsx";
import { PlaceLinks, useNames } from "../components/place.tsx";
import { useList } from "../live.ts";
import { address } from "../places.ts";
import { canSendAgain, type Delivery, stateOf, webhooks } from "./webhook-types.ts";

const path = "/console/webhooks";

const states = [
  ["", "All"],
  ["pending", "Waiting"],
  ["delivered", "Delivered"],
  ["failed", "Failed"],
] as const;

/** The deliveries of one endpoint, the newest first. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const { query, route } = useLocation();
  const { state: status = "" } = query;
  const list = useList<Delivery>(`${webhooks}/deliveries/get`, "deliveries", {
    endpointId,
    ...(status && { status }),
  });
  useNames(list.items ?? []);
  const canRetry = list.items?.some((each) => canSendAgain(each, Date.now()));
  const filter = (state: string) => route(address(path, { endpoint: endpointId, state }));
  return (
    <Part
      title="Deliveries"
      aside={
        <>
          {canRetry && <RetryAll endpointId={endpointId} />}
          <Choice label="State" value={status} onValue={filter} options={states} />
        </>
      }
    >
      <Rows
        label="Deliveries"
        list={list}
        empty={
          status ? (
            <Empty title={list.hasMore ? "None among the newest." : "No delivery has this state."} />
          ) : (
            <Empty title="No deliveries yet.">To try the endpoint now, send a test.</Empty>
          )
        }
      >
        {(each) => <DeliveryRow key={each.webhookId} delivery={each} endpointId={endpointId} />}
      </Rows>
    </Part>
  );
}

const daySeconds = 86_400;

/** For an endpoint that works again after an outage. */
function RetryAll({ endpointId }: { endpointId: string }) {
  const retry = async (keyOf: KeyOf) => {
    const data = { endpointId, failedSince: Math.floor(Date.now() / 1_000) - daySeconds };
    const next = () => change<{ hasMore: boolean }>(`${webhooks}/deliveries/retry`, data, keyOf);
    while ((await next()).hasMore);
  };
  const text =
    "All deliveries of the last 24 hours that failed, or that wait more than 10 minutes for another attempt, are sent again. Do this when the endpoint works again.";
  return (
    <Action
      scope="admin"
      run={retry}
      done="What failed in the last day is sent again."
      ask={{ title: "Send again what failed?", text }}
    >
      Send again what failed
    </Action>
  );
}

function DeliveryRow({ delivery, endpointId }: { delivery: Delivery; endpointId: string }) {
  const {
    webhookId,
    event,
    organizationId: org,
    documentId,
    createdAt,
    attempts,
    code,
    error,
    nextAttemptAt,
  } = delivery;
  const [tone, state] = stateOf(delivery);
  return (
    <li>
      <Status tone={tone}>{state}</Status>
      <span class="grow">
        <a href={address(path, { endpoint: endpointId, delivery: webhookId })}>{event}</a>
        {org && (
          <span class="quiet block">
            <PlaceLinks organizationId={org} documentId={documentId} />
          </span>
        )}
      </span>
      <span class="quiet">{error ?? (code !== null && `HTTP ${code}`)}</span>
      <Attempts attempts={attempts} nextAttemptAt={nextAttemptAt} />
      <Time at={createdAt} />
    </li>
  );
}

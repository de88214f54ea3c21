import { jsonIn } from "../../../../lib/json.ts";
import { change, type KeyOf } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Empty, Loaded } from "../components/list.tsx";
import { Facts, Head, Json, Part, Status, Time } from "../components/page.tsx";
import { PlaceLinks, useNames } from "../components/place.tsx";
import { count, plural } from "../format.ts";
import { useCall } from "../live.ts";
import { address } from "../places.ts";
import { useEndpoint } from "./endpoint.tsx";
import { type Attempt, canSendAgain, type Delivery, stateOf, webhooks } from "./webhook-types.ts";

const path = "/console/webhooks";

/** One delivery: what was sent, and each attempt to send it. */
export function DeliveryView({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) {
  const url = useEndpoint(endpointId).data?.endpoint?.url ?? endpointId;
  const live = useCall<{ deliveries: Delivery[] }>(`${webhooks}/deliveries/get`, { endpointId, deliveryId });
  const delivery = live.data?.deliveries[0];
  const retry = (keyOf: KeyOf) => change(`${webhooks}/deliveries/retry`, { endpointId, webhookId: deliveryId }, keyOf);
  const trail = [
    [path, "Webhooks"],
    [address(path, { endpoint: endpointId }), url],
  ] as const;
  return (
    <>
      <Head title={delivery?.event ?? "Delivery"} trail={trail}>
        {delivery && canSendAgain(delivery, Date.now()) && (
          <Action scope="admin" run={retry} done="It is sent again.">
            Send again
          </Action>
        )}
      </Head>
      <Loaded live={live}>
        {() =>
          delivery ? (
            <Found delivery={delivery} />
          ) : (
            <Empty title="There is no such delivery.">Deliveries are kept for 30 days.</Empty>
          )
        }
      </Loaded>
    </>
  );
}

function Found({ delivery }: { delivery: Delivery }) {
  const {
    webhookId,
    organizationId,
    documentId,
    createdAt,
    nextAttemptAt,
    attemptLog = [],
    attempts,
    payload,
  } = delivery;
  const [tone, state] = stateOf(delivery);
  useNames([delivery]);
  return (
    <>
      <Part title="Summary">
        <Facts
          of={{
            State: <Status tone={tone}>{state}</Status>,
            "Next attempt": nextAttemptAt ? <Time at={nextAttemptAt} /> : undefined,
            About: organizationId ? <PlaceLinks organizationId={organizationId} documentId={documentId} /> : undefined,
            "Event time": <Time at={createdAt} />,
            Id: <code>{webhookId}</code>,
          }}
        />
      </Part>
      <Part title={plural(attempts, "attempt")}>
        <ol class="rows" aria-label="Attempts">
          {attemptLog.toReversed().map((each, index) => (
            <AttemptRow key={each.at} attempt={each} number={attempts - index} />
          ))}
        </ol>
      </Part>
      {payload && (
        <Part title="Payload">
          <Json label="Payload" value={jsonIn(payload) ?? payload} />
        </Part>
      )}
    </>
  );
}

/** The first attempt is number 1. */
function AttemptRow({ attempt, number }: { attempt: Attempt; number: number }) {
  const { at, durationMs, code, answer, error } = attempt;
  const isGood = code !== null && code >= 200 && code < 300;
  return (
    <li>
      <Status tone={isGood ? "good" : "bad"}>{code === null ? "No reply" : `HTTP ${code}`}</Status>
      <span class="grow">
        Attempt {number}: {error ?? (isGood ? "accepted" : "the endpoint replied with an error")}
      </span>
      <span class="quiet">{count(Math.round(durationMs))} ms</span>
      <Time at={at} />
      {answer && (
        <div class="whole">
          <small class="quiet">Reply of the endpoint</small>
          <Json label="Reply of the endpoint" value={answer} />
        </div>
      )}
    </li>
  );
}

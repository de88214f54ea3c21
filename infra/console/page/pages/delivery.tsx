import { change, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Head, Part } from "../components/head.tsx";
import { Json } from "../components/json.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Status } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { eventText, exactTime, milliseconds, plural } from "../format.ts";
import { useLive } from "../live.ts";
import { address } from "../places.ts";
import type { Try } from "../try.ts";
import { useEndpoint } from "./endpoint.tsx";
import { type Attempt, type Delivery, stateOf, webhooks } from "./webhook-types.ts";

const path = "/console/webhooks";

/** One delivery: what was sent, and each attempt to send it. */
export function DeliveryView({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) {
  const url = useEndpoint(endpointId).data?.endpoint?.url ?? endpointId;
  const live = useLive(["delivery", endpointId, deliveryId], (signal) =>
    load<{ deliveries: Delivery[] }>(`${webhooks}/deliveries/get`, { endpointId, deliveryId }, signal),
  );
  const delivery = live.data?.deliveries[0];
  const retry = (attempt: Try) =>
    change(`${webhooks}/deliveries/retry`, { endpointId, webhookId: deliveryId }, attempt);
  return (
    <>
      <Head
        title={delivery?.event ?? "Delivery"}
        trail={[
          [path, "Webhooks"],
          [address(path, { endpoint: endpointId }), url],
        ]}
      >
        {delivery?.status === "failed" && (
          <Action scope="admin" tone="main" run={retry} done="It is sent again.">
            Send again
          </Action>
        )}
      </Head>
      <Loaded live={live}>
        {() =>
          delivery ? (
            <>
              <Summary delivery={delivery} />
              <Attempts delivery={delivery} />
              <Payload payload={delivery.payload} />
            </>
          ) : (
            <Empty title="There is no such delivery.">
              <p>Deliveries are kept for 30 days.</p>
            </Empty>
          )
        }
      </Loaded>
    </>
  );
}

function Summary({ delivery }: { delivery: Delivery }) {
  const [tone, state] = stateOf(delivery);
  const { webhookId, event, createdAt, nextAttemptAt } = delivery;
  return (
    <Part title="Summary">
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <Status tone={tone}>{state}</Status>
        </dd>
        {nextAttemptAt && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Time at={nextAttemptAt} isDue /> <span class="quiet">({exactTime(nextAttemptAt)})</span>
            </dd>
          </>
        )}
        <dt>Event</dt>
        <dd>
          {eventText(event)} <code>{event}</code>
        </dd>
        <dt>Event time</dt>
        <dd>{exactTime(createdAt)}</dd>
        <dt>Id</dt>
        <dd>
          <code>{webhookId}</code>
        </dd>
      </dl>
    </Part>
  );
}

function Attempts({ delivery: { attemptLog = [], attempts } }: { delivery: Delivery }) {
  return (
    <Part title={plural(attempts, "attempt")}>
      {attemptLog.length === 0 ? (
        <p class="quiet">It was not tried yet.</p>
      ) : (
        <ol class="rows" aria-label="Attempts">
          {attemptLog.toReversed().map((each, index) => (
            <AttemptRow key={each.at} attempt={each} number={attempts - index} />
          ))}
        </ol>
      )}
    </Part>
  );
}

interface AttemptRowProps {
  attempt: Attempt;
  /** The first attempt is number 1. */
  number: number;
}

function AttemptRow({ attempt: { at, durationMs, code, answer, error }, number }: AttemptRowProps) {
  const isGood = code !== null && code >= 200 && code < 300;
  return (
    <li>
      <span class="fixed">
        <Status tone={isGood ? "good" : "bad"}>{code === null ? "No reply" : `HTTP ${code}`}</Status>
      </span>
      <span class="grow">
        Attempt {number}
        {": "}
        {error ?? (isGood ? "accepted" : "the endpoint replied with an error")}
      </span>
      <span class="quiet">{milliseconds(durationMs)}</span>
      <span class="quiet">{exactTime(at)}</span>
      {answer && (
        <div class="whole">
          <small class="quiet">Reply of the endpoint</small>
          <Json label="Reply of the endpoint" value={answer} />
        </div>
      )}
    </li>
  );
}

function Payload({ payload }: { payload: string | null | undefined }) {
  if (!payload) return null;
  return (
    <Part title="Payload">
      <Json label="Payload" value={parsed(payload)} />
    </Part>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

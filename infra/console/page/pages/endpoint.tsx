import { useLocation } from "preact-iso";
import { change, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Attempts } from "../components/attempts.tsx";
import { Changed } from "../components/changed.tsx";
import { Head, Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Status, Tag } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { plural } from "../format.ts";
import { useLive } from "../live.ts";
import { usePaged } from "../paged.ts";
import { pagesOf } from "../paging.ts";
import { address } from "../places.ts";
import type { Try } from "../try.ts";
import { EndpointSecret } from "./endpoint-secret.tsx";
import { type Delivery, type Endpoint, stateOf, webhooks } from "./webhook-types.ts";

const path = "/console/webhooks";

export function useEndpoint(endpointId: string) {
  return useLive(["endpoint", endpointId], async (signal) => {
    type Reply = { endpoints: Endpoint[]; nextPageToken: string | null };
    const read = (pageToken?: string) => load<Reply>(`${webhooks}/endpoints/get`, { pageToken }, signal);
    for await (const { endpoints } of pagesOf(read)) {
      const found = endpoints.find(({ id }) => id === endpointId);
      if (found) return { endpoint: found };
    }
    return { endpoint: undefined };
  });
}

/** One endpoint with its deliveries. */
export function EndpointView({ endpointId }: { endpointId: string }) {
  const live = useEndpoint(endpointId);
  const endpoint = live.data?.endpoint;
  return (
    <>
      <Head title={endpoint?.url ?? endpointId} trail={[[path, "Webhooks"]]} />
      <Loaded live={live}>
        {() =>
          endpoint ? (
            <>
              <Facts endpoint={endpoint} />
              <EndpointSecret endpointId={endpointId} />
              <Deliveries endpointId={endpointId} />
            </>
          ) : (
            <Empty title="There is no such endpoint.">
              <p>
                It may have been deleted. <a href={path}>See all endpoints</a>.
              </p>
            </Empty>
          )
        }
      </Loaded>
    </>
  );
}

function Facts({ endpoint }: { endpoint: Endpoint }) {
  const { id, description, filterTypes, channels, disabled, rateLimit, createdAt } = endpoint;
  return (
    <Part title="Endpoint" aside={<EndpointActions endpoint={endpoint} />}>
      <dl class="facts">
        <dt>State</dt>
        <dd>{disabled ? <Status tone="warn">Disabled</Status> : <Status tone="good">Enabled</Status>}</dd>
        {description && (
          <>
            <dt>Description</dt>
            <dd>{description}</dd>
          </>
        )}
        <dt>Events</dt>
        <dd class="row">{filterTypes.length > 0 ? filterTypes.map((type) => <Tag key={type}>{type}</Tag>) : "All"}</dd>
        {channels && (
          <>
            <dt>Channels</dt>
            <dd>{channels.join(", ")}</dd>
          </>
        )}
        {rateLimit !== null && (
          <>
            <dt>Limit</dt>
            <dd>{plural(rateLimit, "delivery", "deliveries")} a second</dd>
          </>
        )}
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Added</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </dl>
    </Part>
  );
}

function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { route } = useLocation();
  const { id: endpointId, disabled, url } = endpoint;
  const turn = (attempt: Try) => change(`${webhooks}/endpoints/update`, { endpointId, disabled: !disabled }, attempt);
  const test = (attempt: Try) => change(`${webhooks}/endpoints/test`, { endpointId }, attempt);
  const remove = async (attempt: Try) => {
    await change(`${webhooks}/endpoints/delete`, { endpointId }, attempt);
    route(path);
  };
  return (
    <>
      <Action scope="admin" run={test} done="A test is on its way.">
        Send a test
      </Action>
      <Action scope="admin" run={turn} done={disabled ? "The endpoint is enabled." : "The endpoint is disabled."}>
        {disabled ? "Enable" : "Disable"}
      </Action>
      <Action
        scope="admin"
        tone="bad"
        run={remove}
        done="Endpoint deleted."
        ask={{
          title: "Delete this endpoint?",
          text: `${url} gets no further events. Its secret, its delivery log and what waits are deleted for good.`,
          confirm: "Delete endpoint",
        }}
      >
        Delete
      </Action>
    </>
  );
}

function Deliveries({ endpointId }: { endpointId: string }) {
  const paged = usePaged<Delivery>(["deliveries", endpointId], async (pageToken, signal) => {
    type Reply = { deliveries: Delivery[]; nextPageToken: string | null };
    const reply = await load<Reply>(`${webhooks}/deliveries/get`, { endpointId, pageToken }, signal);
    return { items: reply.deliveries, nextPageToken: reply.nextPageToken };
  });
  const hasFailed = paged.items?.some(({ status }) => status === "failed");
  return (
    <Part title="Deliveries" aside={hasFailed && <RetryAll endpointId={endpointId} />}>
      <List
        label="Deliveries"
        paged={paged}
        empty={
          <Empty title="No deliveries yet.">
            <p>The next event that the endpoint wants appears here. To try it now, send a test.</p>
          </Empty>
        }
      >
        {(each) => <DeliveryRow key={each.webhookId} delivery={each} endpointId={endpointId} />}
      </List>
    </Part>
  );
}

const daySeconds = 86_400;

/** For an endpoint that works again after an outage. */
function RetryAll({ endpointId }: { endpointId: string }) {
  const retry = async (attempt: Try) => {
    const failedSince = Math.floor(attempt.kept("now", Date.now) / 1_000) - daySeconds;
    let part = 0;
    const next = async () => {
      const data = { endpointId, failedSince };
      const { hasMore } = await change<{ hasMore: boolean }>(`${webhooks}/deliveries/retry`, data, attempt);
      return { nextPageToken: hasMore ? String(++part) : null };
    };
    for await (const _ of pagesOf(next));
  };
  return (
    <Action
      scope="admin"
      run={retry}
      done="What failed in the last day is sent again."
      ask={{
        title: "Send again what failed?",
        text: "All deliveries of the last 24 hours that failed are sent again. Do this when the endpoint works again.",
        confirm: "Send again",
      }}
    >
      Send again what failed
    </Action>
  );
}

function DeliveryRow({ delivery, endpointId }: { delivery: Delivery; endpointId: string }) {
  const { webhookId, event, createdAt, attempts, code, error, nextAttemptAt } = delivery;
  const [tone, state] = stateOf(delivery);
  return (
    <Changed of={delivery}>
      <span class="fixed">
        <Status tone={tone}>{state}</Status>
      </span>
      <a class="title grow" href={address(path, { endpoint: endpointId, delivery: webhookId })}>
        {event}
      </a>
      <span class="quiet">{error ?? (code !== null && `HTTP ${code}`)}</span>
      <Attempts attempts={attempts} nextAttemptAt={nextAttemptAt} />
      <Time at={createdAt} />
    </Changed>
  );
}

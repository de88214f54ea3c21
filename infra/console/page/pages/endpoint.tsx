import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { change, type KeyOf, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Empty, Loaded } from "../components/list.tsx";
import { Facts, Head, Part, SafeLink, Status, Time } from "../components/page.tsx";
import { plural } from "../format.ts";
import { readPages, useLive } from "../live.ts";
import { useTerminal } from "../session.ts";
import { Deliveries } from "./endpoint-deliveries.tsx";
import { type Endpoint, webhooks } from "./webhook-types.ts";

const path = "/console/webhooks";
const pagesMax = 100;

export const useEndpoint = (endpointId: string) =>
  useLive(`endpoint ${endpointId}`, async (signal) => {
    const { items } = await readPages<Endpoint>(
      `${webhooks}/endpoints/get`,
      "endpoints",
      {},
      { max: pagesMax, signal },
    );
    return { endpoint: items.find(({ id }) => id === endpointId) };
  });

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
              <Part title="Endpoint" aside={<Actions endpoint={endpoint} />}>
                <EndpointFacts endpoint={endpoint} />
              </Part>
              <Secret endpointId={endpointId} />
              <Deliveries endpointId={endpointId} />
            </>
          ) : (
            <Empty title="There is no such endpoint.">
              It may have been deleted. <a href={path}>See all endpoints</a>.
            </Empty>
          )
        }
      </Loaded>
    </>
  );
}

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const { id, description, filterTypes, channels, disabled, disabledReason, pausedUntil, rateLimit, createdAt } =
    endpoint;
  return (
    <Facts
      of={{
        State: disabled ? <Status tone="warn">Disabled</Status> : <Status tone="good">Enabled</Status>,
        Reason: disabledReason ?? undefined,
        "Paused until": pausedUntil === null ? undefined : <Time at={pausedUntil} />,
        Description: description || undefined,
        Events: filterTypes.join(", ") || "All",
        Channels: channels?.join(", "),
        Limit: rateLimit === null ? undefined : `${plural(rateLimit, "delivery", "deliveries")} a second`,
        Id: <code>{id}</code>,
        Added: <Time at={createdAt} />,
      }}
    />
  );
}

function Actions({ endpoint: { id: endpointId, disabled, url } }: { endpoint: Endpoint }) {
  const { route } = useLocation();
  const test = (keyOf: KeyOf) => change(`${webhooks}/endpoints/test`, { endpointId }, keyOf);
  const turn = (keyOf: KeyOf) => change(`${webhooks}/endpoints/update`, { endpointId, disabled: !disabled }, keyOf);
  const remove = async (keyOf: KeyOf) => {
    await change(`${webhooks}/endpoints/delete`, { endpointId }, keyOf);
    route(path);
  };
  const text = `${url} gets no further events. Its secret, its delivery log and what waits are deleted for good.`;
  return (
    <>
      <Action scope="admin" run={test} done="A test is on its way.">
        Send a test
      </Action>
      <Action scope="admin" run={turn} done={disabled ? "The endpoint is enabled." : "The endpoint is disabled."}>
        {disabled ? "Enable" : "Disable"}
      </Action>
      <Action scope="admin" isBad run={remove} done="Endpoint deleted." ask={{ title: "Delete this endpoint?", text }}>
        Delete
      </Action>
    </>
  );
}

/** What signs the deliveries of an endpoint. The browser never gets it. */
function Secret({ endpointId }: { endpointId: string }) {
  const [isPrinted, setPrinted] = useState(false);
  const terminal = useTerminal();
  const print = async () => {
    await load(`${webhooks}/endpoints/secret/get`, { endpointId });
    setPrinted(true);
  };
  return (
    <Part
      title="Signing secret"
      aside={
        <Action scope="admin" run={print}>
          Print the secret
        </Action>
      }
    >
      <p class="quiet">
        The secret signs each delivery. The receiver verifies it with the typed client, or with any library of{" "}
        <SafeLink href="https://www.standardwebhooks.com" />. It never reaches a browser.
      </p>
      {isPrinted && (
        <p role="status" class="notice">
          The secret is in {terminal}. Copy it from there into the environment of the receiver.
        </p>
      )}
    </Part>
  );
}

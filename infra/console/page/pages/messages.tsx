import { useLocation } from "preact-iso";
import { Choice } from "../components/fields.tsx";
import { Empty, Loaded, Rows } from "../components/list.tsx";
import { Attempts, Head, Needs, Part, Status, Tabs, Tag, Time } from "../components/page.tsx";
import { PlaceLinks, useNames } from "../components/place.tsx";
import { inWords } from "../format.ts";
import { useCall, useList } from "../live.ts";
import { address, userAddress } from "../places.ts";
import { useSession } from "../session.ts";
import { Preview } from "./preview.tsx";
import { Suppressions } from "./suppressions.tsx";

const path = "/console/messages";
const get = "v2/workspace/messages/get";
const views = [
  [path, "Messages"],
  [address(path, { view: "rendered" }), "Preview"],
  [address(path, { view: "suppressions" }), "Blocked addresses"],
] as const;

export function Messages() {
  const { view } = useLocation().query;
  const current = view === "rendered" ? "Preview" : view === "suppressions" ? "Blocked addresses" : "Messages";
  return (
    <>
      <Head title="Messages" />
      <Tabs label="Messages" tabs={views} current={current} />
      {current === "Preview" && <Preview />}
      {current !== "Preview" && (
        <Needs scope="admin">
          {current === "Messages" ? (
            <>
              <Channels />
              <Sent />
            </>
          ) : (
            <Suppressions />
          )}
        </Needs>
      )}
    </>
  );
}

interface Channel {
  channel: string;
  isSending: boolean;
  problem: string | null;
  pausedUntil: string | null;
}

/** Whether e-mail and Slack send, and else why not. */
function Channels() {
  const live = useCall<{ channels?: Channel[] }>(get, { pageSize: 1 });
  const isLocal = useSession()?.mode === "local";
  return (
    <Part title="Channels">
      {isLocal && <p class="quiet">On this machine nothing leaves: each message is a file, which “Preview” shows.</p>}
      <Loaded live={live}>
        {({ channels = [] }) => (
          <ul class="rows" aria-label="Channels">
            {channels.map(({ channel, isSending, problem, pausedUntil }) => (
              <li key={channel}>
                <strong>{inWords(channel)}</strong>
                <Status tone={pausedUntil ? "warn" : isSending ? "good" : "plain"}>
                  {pausedUntil ? "Paused" : isSending ? "Sends" : "Does not send"}
                </Status>
                <span class="grow quiet">
                  {problem} {pausedUntil && <>Tried again {<Time at={pausedUntil} />}.</>}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <p class="quiet">
        Channels are turned on under <a href="/console/settings">Settings</a>.
      </p>
    </Part>
  );
}

interface Message {
  messageId: string;
  channel: "email" | "slack";
  organizationId: string | null;
  documentId: string | null;
  userId: string | null;
  events: string[];
  createdAt: string;
  state: keyof typeof states;
  attempts: number;
  nextAttemptAt: string | null;
  error: string | null;
}

const states = {
  waiting: ["busy", "Waiting", "is sent later"],
  sent: ["good", "Sent", "the provider has accepted it"],
  failed: ["bad", "Failed", "the provider has refused it"],
  omitted: ["plain", "Omitted", "the user may not read it or does not want it, or it is gone"],
  digest: ["plain", "In the digest", "the address had too many messages today"],
} as const;

const channels = [
  ["", "All"],
  ["email", "E-mail"],
  ["slack", "Slack"],
] as const;

function Sent() {
  const { query, route } = useLocation();
  const { state = "", channel = "" } = query;
  const list = useList<Message>(get, "messages", { ...(state && { state }), ...(channel && { channel }) });
  useNames(list.items ?? []);
  const filter = (next: object) => route(address(path, { state, channel, ...next }));
  const options = Object.entries(states).map(([each, [, text]]) => [each, text] as const);
  return (
    <Part
      title="Messages"
      aside={
        <>
          <Choice label="Channel" value={channel} onValue={(next) => filter({ channel: next })} options={channels} />
          <Choice
            label="State"
            value={state}
            onValue={(next) => filter({ state: next })}
            options={[["", "All"], ...options]}
          />
        </>
      }
    >
      <Rows
        label="Messages"
        list={list}
        empty={<Empty title="No messages.">A comment that mentions somebody makes one.</Empty>}
      >
        {(each) => <MessageRow key={each.messageId} message={each} />}
      </Rows>
    </Part>
  );
}

function MessageRow({ message }: { message: Message }) {
  const {
    channel,
    organizationId: org,
    userId,
    documentId,
    events,
    createdAt,
    attempts,
    error,
    nextAttemptAt,
  } = message;
  const [tone, state, meaning] = states[message.state];
  return (
    <li>
      <span title={meaning}>
        <Status tone={tone}>{state}</Status>
      </span>
      <span class="grow">
        {userId ? events.map(inWords).join(", ") || "Digest" : "Test mail"}
        {org && userId && (
          <>
            {" "}
            to <a href={userAddress(org, userId)}>{userId}</a>
          </>
        )}
        {org && documentId && (
          <>
            {" "}
            about <PlaceLinks organizationId={org} documentId={documentId} />
          </>
        )}
        {error && <span class="block quiet">{error}</span>}
      </span>
      <Tag>{inWords(channel)}</Tag>
      <Attempts attempts={attempts} nextAttemptAt={nextAttemptAt} />
      <Time at={createdAt} />
    </li>
  );
}

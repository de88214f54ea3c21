import { useLocation } from "preact-iso";
import { load } from "../api.ts";
import { Attempts } from "../components/attempts.tsx";
import { Changed } from "../components/changed.tsx";
import { Choice } from "../components/fields.tsx";
import { Head, Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { Needs } from "../components/needs.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Status, Tag } from "../components/status.tsx";
import { Tabs } from "../components/tabs.tsx";
import { Time } from "../components/time.tsx";
import { eventText } from "../format.ts";
import { useLive } from "../live.ts";
import { usePaged } from "../paged.ts";
import { address } from "../places.ts";
import { Rendered } from "./rendered.tsx";
import { Suppressions } from "./suppressions.tsx";

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

interface Channel {
  channel: string;
  isSending: boolean;
  problem: string | null;
  pausedUntil: string | null;
}

interface Reply {
  messages: Message[];
  channels?: Channel[];
  nextPageToken: string | null;
}

const path = "/console/messages";
const states = {
  waiting: ["busy", "Waiting", "is sent later"],
  sent: ["good", "Sent", "the provider has accepted it"],
  failed: ["bad", "Failed", "the provider has refused it"],
  omitted: ["plain", "Omitted", "the user may not read it or does not want it, or it is gone"],
  digest: ["plain", "In the digest", "the address had too many messages today"],
} as const;

const views = [
  [path, "Messages"],
  [address(path, { view: "rendered" }), "As they look"],
  [address(path, { view: "suppressions" }), "Suppressions"],
] as const;

export function Messages() {
  const { query } = useLocation();
  const current = { rendered: "As they look", suppressions: "Suppressions" }[query.view ?? ""] ?? "Messages";
  return (
    <>
      <Head title="Messages" />
      <Tabs label="Messages" tabs={views} current={current} />
      {current === "Messages" && (
        <Needs scope="admin">
          <Channels />
          <Sent />
        </Needs>
      )}
      {current === "As they look" && <Rendered />}
      {current === "Suppressions" && (
        <Needs scope="admin">
          <Suppressions />
        </Needs>
      )}
    </>
  );
}

function Channels() {
  const live = useLive("channels", (signal) => load<Reply>("v2/workspace/messages/get", { pageSize: 1 }, signal));
  return (
    <Part title="Channels">
      <Loaded live={live} lines={2}>
        {({ channels = [] }) => (
          <ul class="rows" aria-label="Channels">
            {channels.map(({ channel, isSending, problem, pausedUntil }) => (
              <li key={channel}>
                <span class="fixed title">{channel === "email" ? "E-mail" : "Slack"}</span>
                <Status tone={pausedUntil ? "warn" : isSending ? "good" : "plain"}>
                  {pausedUntil ? "Paused" : isSending ? "Sends" : "Does not send"}
                </Status>
                <span class="grow quiet">
                  {problem}
                  {pausedUntil && (
                    <>
                      {" "}
                      Tried again <Time at={pausedUntil} />.
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Part>
  );
}

function Sent() {
  const { query, route } = useLocation();
  const { state = "", channel = "" } = query;
  const paged = usePaged<Message>(["messages", state, channel], async (pageToken, signal) => {
    const filters = { ...(state && { state }), ...(channel && { channel }) };
    const reply = await load<Reply>("v2/workspace/messages/get", { ...filters, pageToken }, signal);
    return { items: reply.messages, nextPageToken: reply.nextPageToken };
  });
  const filter = (next: object) => route(address(path, { state, channel, ...next }), true);
  return (
    <Part
      title="Messages"
      aside={
        <>
          <Choice
            label="Channel"
            isLabelHidden
            value={channel}
            onValue={(value) => filter({ channel: value })}
            options={[
              ["", "All channels"],
              ["email", "E-mail"],
              ["slack", "Slack"],
            ]}
          />
          <Choice
            label="State"
            isLabelHidden
            value={state}
            onValue={(value) => filter({ state: value })}
            options={[["", "All states"], ...Object.entries(states).map(([each, [, text]]) => [each, text] as const)]}
          />
        </>
      }
    >
      <List label="Messages" paged={paged} empty={<NoMessages isFiltered={Boolean(state || channel)} />}>
        {(each) => <MessageRow key={each.messageId} message={each} />}
      </List>
    </Part>
  );
}

function MessageRow({ message }: { message: Message }) {
  const { channel, organizationId, documentId, userId, events, createdAt, attempts, error, nextAttemptAt } = message;
  const [tone, state, meaning] = states[message.state];
  return (
    <Changed of={message}>
      <span class="fixed" title={meaning}>
        <Status tone={tone}>{state}</Status>
      </span>
      <span class="grow">
        {userId && organizationId ? (
          <a class="title" href={address("/console/people", { org: organizationId, user: userId })}>
            {userId}
          </a>
        ) : (
          <span class="title">Test mail</span>
        )}{" "}
        {documentId && organizationId && (
          <>
            <span class="quiet">about</span>{" "}
            <a href={address("/console/documents", { org: organizationId, document: documentId })}>{documentId}</a>
          </>
        )}
        <span class="quiet"> {events.map(eventText).join(", ")}</span>
        {error && <span class="block">{error}</span>}
      </span>
      <Tag>{channel === "email" ? "e-mail" : "Slack"}</Tag>
      <Attempts attempts={attempts} nextAttemptAt={nextAttemptAt} />
      <Time at={createdAt} />
    </Changed>
  );
}

function NoMessages({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No message is like this." />;
  return (
    <Empty title="No messages yet.">
      <p>
        A comment that mentions somebody makes the first one. E-mail and Slack are turned on under{" "}
        <a href="/console/settings">Settings</a>.
      </p>
    </Empty>
  );
}

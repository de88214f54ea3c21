import { useLocation } from "preact-iso";
import { load } from "../api.ts";
import { Choice } from "../components/fields.tsx";
import { Head, Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { Needs } from "../components/needs.tsx";
import { Empty } from "../components/states.tsx";
import { Tabs } from "../components/tabs.tsx";
import { usePaged } from "../paged.ts";
import { address, viewOf } from "../places.ts";
import { Channels } from "./channels.tsx";
import { latestOf, useHasMails, useMails } from "./mails.ts";
import { useMessageNames } from "./message-names.ts";
import { type Message, MessageRow, states } from "./message-row.tsx";
import { Rendered } from "./rendered.tsx";
import { Suppressions } from "./suppressions.tsx";

interface Reply {
  messages: Message[];
  nextPageToken: string | null;
}

const path = "/console/messages";
const views = [
  [path, "Messages"],
  [address(path, { view: "rendered" }), "Preview"],
  [address(path, { view: "suppressions" }), "Blocked addresses"],
] as const;

export function Messages() {
  const { query } = useLocation();
  const current = viewOf({ rendered: "Preview", suppressions: "Blocked addresses" }, query.view) ?? "Messages";
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
      {current === "Preview" && <Rendered />}
      {current === "Blocked addresses" && (
        <Needs scope="admin">
          <Suppressions />
        </Needs>
      )}
    </>
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
  const nameOf = useMessageNames(paged.items);
  const mails = latestOf(useMails().data?.mails);
  const hasMails = useHasMails();
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
      {!hasMails && (
        <p class="quiet">
          A deployment keeps no texts of messages. See <a href={address(path, { view: "rendered" })}>how they look</a>.
        </p>
      )}
      <List label="Messages" paged={paged} empty={<NoMessages isFiltered={Boolean(state || channel)} />}>
        {(each) => <MessageRow key={each.messageId} message={each} nameOf={nameOf} mail={mails.get(each.messageId)} />}
      </List>
    </Part>
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

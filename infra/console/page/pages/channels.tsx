import { load } from "../api.ts";
import { Part } from "../components/head.tsx";
import { Loaded } from "../components/states.tsx";
import { Status } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { useLive } from "../live.ts";
import { useSession } from "../session.ts";
import { Problem } from "./problem.tsx";

interface Channel {
  channel: string;
  isSending: boolean;
  problem: string | null;
  pausedUntil: string | null;
}

/** Whether e-mail and Slack send, and else why not. */
export function Channels() {
  const live = useLive("channels", (signal) =>
    load<{ channels?: Channel[] }>("v2/workspace/messages/get", { pageSize: 1 }, signal),
  );
  const isLocal = useSession()?.mode === "local";
  return (
    <Part title="Channels">
      {isLocal && <p class="quiet">On this machine nothing leaves: each message is a file, which “Preview” shows.</p>}
      <Loaded live={live} lines={2}>
        {({ channels = [] }) => (
          <ul class="rows" aria-label="Channels">
            {channels.map(({ channel, isSending, problem, pausedUntil }) => (
              <li key={channel}>
                <span class="fixed title">{channel === "email" ? "E-mail" : "Slack"}</span>
                <Status tone={pausedUntil ? "warn" : isSending ? "good" : "plain"}>
                  {pausedUntil ? "Paused" : isSending ? (isLocal ? "Writes files" : "Sends") : "Does not send"}
                </Status>
                <span class="grow quiet">
                  {problem && <Problem text={problem} />}
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

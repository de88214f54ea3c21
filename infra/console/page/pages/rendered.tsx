import { useState } from "preact/hooks";
import { operation } from "../api.ts";
import { Empty, Loaded } from "../components/states.tsx";
import { Time } from "../components/time.tsx";
import { useLive } from "../live.ts";
import { useSession } from "../session.ts";

interface Mail {
  id: string;
  at: string;
  channel: string;
  to?: string;
  subject?: string;
}

/** Messages as their readers see them. Each is in a frame that runs nothing and loads nothing. */
export function Rendered() {
  const has = useSession()?.operations.mails ?? false;
  const [chosen, setChosen] = useState<string>();
  const live = useLive(has ? "mails" : undefined, (signal) => operation<{ mails: Mail[] }>("mails", signal));
  if (!has)
    return (
      <Empty title="A deployment does not keep what it sends.">
        <p>
          <code>npm start</code> writes each message into a folder and shows it here. To see a made-up one:{" "}
          <code>npm run admin -- message preview</code>
        </p>
      </Empty>
    );
  return (
    <Loaded live={live}>
      {({ mails }) => {
        const shown = mails.find(({ id }) => id === chosen) ?? mails[0];
        if (!shown)
          return (
            <Empty title="Nothing was sent yet.">
              <p>A comment that mentions somebody makes the first message, a few seconds later.</p>
            </Empty>
          );
        return (
          <div class="reader">
            <ul class="rows" aria-label="Messages that were rendered">
              {mails.map((mail) => (
                <li key={mail.id}>
                  <button
                    type="button"
                    class="choose"
                    aria-pressed={mail.id === shown.id}
                    onClick={() => setChosen(mail.id)}
                  >
                    <span class="title clip">{mail.subject ?? mail.channel}</span>
                    <span class="quiet clip">{mail.to}</span>
                    <Time at={mail.at} />
                  </button>
                </li>
              ))}
            </ul>
            <iframe
              key={shown.id}
              class="mail"
              title={`Message: ${shown.subject ?? shown.channel}`}
              sandbox=""
              src={`/console/mail/${encodeURIComponent(shown.id)}.html`}
            />
          </div>
        );
      }}
    </Loaded>
  );
}

import { useLocation } from "preact-iso";
import { Empty, Loaded } from "../components/states.tsx";
import { Time } from "../components/time.tsx";
import { address } from "../places.ts";
import { useHasMails, useMails } from "./mails.ts";

/** Messages as their readers see them. Each is in a frame that runs nothing and loads nothing. */
export function Rendered() {
  const { query, route } = useLocation();
  const live = useMails();
  const choose = (mail: string) => route(address("/console/messages", { view: "rendered", mail }), true);
  if (!useHasMails())
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
        const shown = query.mail ? mails.find(({ id }) => id === query.mail) : mails[0];
        if (mails.length === 0)
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
                    aria-pressed={mail.id === shown?.id}
                    onClick={() => choose(mail.id)}
                  >
                    <span class="title clip">{mail.subject ?? mail.channel}</span>
                    <span class="quiet clip">{mail.to}</span>
                    <Time at={mail.at} />
                  </button>
                </li>
              ))}
            </ul>
            {shown ? (
              <div class="stack">
                <p>
                  <span class="title">{shown.subject}</span> <span class="quiet">to {shown.to}</span>
                </p>
                <iframe
                  key={shown.id}
                  class="mail"
                  title={`Message: ${shown.subject ?? shown.channel}`}
                  sandbox=""
                  src={`/console/mail/${encodeURIComponent(shown.id)}.html`}
                />
              </div>
            ) : (
              <Empty title="This message is no longer kept." />
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

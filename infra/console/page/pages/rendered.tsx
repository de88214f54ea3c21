import { useLocation } from "preact-iso";
import { Empty, Loaded } from "../components/states.tsx";
import { Time } from "../components/time.tsx";
import { count } from "../format.ts";
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
        const [latest] = mails;
        if (!latest)
          return (
            <Empty title="Nothing was sent yet.">
              <p>A comment that mentions somebody makes the first message, a few seconds later.</p>
            </Empty>
          );
        // Newer messages push the one that is read out of the list. The server still finds it.
        const shownId = query.mail || latest.id;
        const shown = mails.find(({ id }) => id === shownId);
        return (
          <div class="reader">
            <ul class="rows" aria-label="Messages that were rendered">
              {mails.map((mail) => (
                <li key={mail.id}>
                  <button
                    type="button"
                    class="choose"
                    aria-pressed={mail.id === shownId}
                    onClick={() => choose(mail.id)}
                  >
                    <span class="title clip">{mail.subject ?? mail.channel}</span>
                    <span class="quiet clip">{mail.to}</span>
                    <Time at={mail.at} />
                  </button>
                </li>
              ))}
            </ul>
            <div class="stack">
              {shown ? (
                <p>
                  <span class="title">{shown.subject}</span> <span class="quiet">to {shown.to}</span>
                </p>
              ) : (
                <p class="quiet">This message is not among the last {count(mails.length)}.</p>
              )}
              <iframe
                key={shownId}
                class="mail"
                title={shown ? `Message: ${shown.subject ?? shown.channel}` : "Message"}
                sandbox=""
                src={`/console/mail/${encodeURIComponent(shownId)}.html`}
              />
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

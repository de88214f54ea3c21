import { useLocation } from "preact-iso";
import type { ShownMail } from "../../server/operations.ts";
import { operation } from "../api.ts";
import { Empty, Loaded } from "../components/list.tsx";
import { Facts, Time } from "../components/page.tsx";
import { useLive } from "../live.ts";
import { address } from "../places.ts";
import { useSession } from "../session.ts";

/** Messages as their readers see them, which only the local server keeps. A frame runs nothing and loads nothing. */
export function Preview() {
  const { query } = useLocation();
  const has = useSession()?.operations.mails ?? false;
  const live = useLive(has ? "mails" : undefined, (signal) => operation<{ mails: ShownMail[] }>("mails", signal));
  if (!has)
    return (
      <Empty title="A deployment does not keep what it sends.">
        To see a made-up message, run <code>npm run admin -- message preview</code>.
      </Empty>
    );
  return (
    <Loaded live={live}>
      {({ mails }) => {
        const shown = query.mail || mails[0]?.id;
        const mail = mails.find(({ id }) => id === shown);
        if (!shown) return <Empty title="Nothing was sent yet." />;
        return (
          <div class="reader">
            <ul class="rows" aria-label="Messages that were rendered">
              {mails.map(({ id, subject, channel, to, at }) => (
                <li key={id}>
                  <a href={address("/console/messages", { view: "rendered", mail: id })} aria-current={id === shown}>
                    {subject || channel}
                  </a>
                  <span class="quiet">{to}</span>
                  <Time at={at} />
                </li>
              ))}
            </ul>
            <div class="stack">
              {mail && (
                <Facts
                  of={{ From: mail.from, To: mail.to || undefined, Sent: <Time at={mail.at} />, Subject: mail.subject }}
                />
              )}
              <iframe
                key={shown}
                class="mail"
                title="Message"
                sandbox=""
                src={`/console/mail/${encodeURIComponent(shown)}.html`}
              />
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

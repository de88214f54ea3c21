import { useState } from "preact/hooks";
import { change, type KeyOf } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Filter } from "../components/fields.tsx";
import { Empty, Rows } from "../components/list.tsx";
import { Part, Status, Time } from "../components/page.tsx";
import { inWords } from "../format.ts";
import { useList } from "../live.ts";

interface Suppression {
  hash?: string;
  reason: "bounce" | "complaint";
  at: string;
  detail?: string;
}

/** Addresses that get no mail. The service keeps their hashes only, so removing one needs the address. */
export function Suppressions() {
  const [email, setEmail] = useState("");
  const path = "v2/workspace/messages/suppressions";
  const list = useList<Suppression>(`${path}/get`, "suppressions", email ? { email } : {});
  const remove = (keyOf: KeyOf) => change(`${path}/delete`, { email }, keyOf);
  const text = `${email} then gets mail again. Do this only if its owner wants it.`;
  return (
    <Part title="Addresses that get no mail">
      <p class="quiet">
        After a bounce or a complaint, an address gets no further mail. Only the hash of an address is kept: to see or
        remove one, type the address.
      </p>
      <Filter label="Address" value={email} onValue={setEmail} options={[]} />
      <Rows
        label="Suppressions"
        list={list}
        empty={<Empty title={email ? `${email} is not blocked.` : "No address is blocked."} />}
      >
        {({ hash, reason, detail, at }) => (
          <li key={hash ?? at}>
            <Status tone="bad">{inWords(reason)}</Status>
            <span class="grow">
              {email || <code>{hash}</code>} <span class="quiet">{detail}</span>
            </span>
            <Time at={at} />
            {email && (
              <Action
                scope="admin"
                run={remove}
                done="The address gets mail again."
                ask={{ title: "Send mail to this address again?", text }}
              >
                Remove
              </Action>
            )}
          </li>
        )}
      </Rows>
    </Part>
  );
}

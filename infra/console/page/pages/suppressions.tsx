import { useState } from "preact/hooks";
import { change, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Changed } from "../components/changed.tsx";
import { Field } from "../components/fields.tsx";
import { Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { Empty } from "../components/states.tsx";
import { Status } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { inWords } from "../format.ts";
import { usePaged } from "../paged.ts";

interface Suppression {
  hash?: string;
  reason: "bounce" | "complaint";
  at: string;
  detail?: string;
}

/** Addresses that get no mail. The service keeps their hashes only, so removing one needs the address. */
export function Suppressions() {
  const [email, setEmail] = useState("");
  const paged = usePaged<Suppression>(["suppressions", email], async (pageToken, signal) => {
    const data = { pageToken, ...(email && { email }) };
    type Reply = { suppressions: Suppression[]; nextPageToken: string | null };
    const reply = await load<Reply>("v2/workspace/messages/suppressions/get", data, signal);
    return { items: reply.suppressions, nextPageToken: reply.nextPageToken };
  });
  return (
    <Part title="Addresses that get no mail">
      <p class="quiet">
        After a bounce or a complaint, an address gets no further mail. Only the hash of an address is kept: to see or
        remove one, type the address.
      </p>
      <Finder onFind={setEmail} />
      <List
        label="Suppressions"
        paged={paged}
        empty={
          <Empty title={email ? `${email} is not blocked.` : "No address is blocked."}>
            <p>Every address gets its mail.</p>
          </Empty>
        }
      >
        {(each) => (
          <Changed key={each.hash ?? each.at} of={each}>
            <span class="fixed">
              <Status tone="bad">{inWords(each.reason)}</Status>
            </span>
            <span class="grow">
              {email || <code>{each.hash}</code>} <span class="quiet">{each.detail}</span>
            </span>
            <Time at={each.at} />
            {email && (
              <Action
                scope="admin"
                run={(attempt) => change("v2/workspace/messages/suppressions/delete", { email }, attempt)}
                done="The address gets mail again."
                ask={{
                  title: "Send mail to this address again?",
                  text: `${email} then gets mail again. Do this only if its owner wants it.`,
                  confirm: "Remove",
                }}
              >
                Remove
              </Action>
            )}
          </Changed>
        )}
      </List>
    </Part>
  );
}

function Finder({ onFind }: { onFind: (email: string) => void }) {
  const [text, setText] = useState("");
  const find = (event: Event) => {
    event.preventDefault();
    onFind(text.trim());
  };
  return (
    <form class="row bottom" onSubmit={find}>
      <Field label="Address" type="search" value={text} onValue={setText} placeholder="name@example.com" />
      <button type="submit">Find</button>
    </form>
  );
}

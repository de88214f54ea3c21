import { change, load } from "../api.ts";
import { Action, useChange } from "../components/action.tsx";
import { Failure } from "../components/failure.tsx";
import { Field } from "../components/fields.tsx";
import { Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { Empty } from "../components/states.tsx";
import { useDraft } from "../draft.ts";
import { usePaged } from "../paged.ts";
import { useRefusal } from "../session.ts";
import type { Try } from "../try.ts";

/** The hosts to which messages may link. */
export function Domains() {
  const paged = usePaged<string>("domains", async (pageToken, signal) => {
    type Reply = { domains: string[]; nextPageToken: string | null };
    const reply = await load<Reply>("v2/workspace/domains/get", { pageToken }, signal);
    return { items: reply.domains, nextPageToken: reply.nextPageToken };
  });
  return (
    <Part title="Domains">
      <p class="quiet">A message links to a document only if the host of its address is one of these.</p>
      <List label="Domains" paged={paged} empty={<Empty title="No domains yet: messages have no links." />}>
        {(domain) => (
          <li key={domain}>
            <span class="grow">{domain}</span>
            <Action
              scope="admin"
              tone="bare"
              label={`Remove ${domain}`}
              run={(attempt) => change("v2/workspace/domains/delete", { domains: [domain] }, attempt)}
              done="Domain removed."
            >
              Remove
            </Action>
          </li>
        )}
      </List>
      <Add />
    </Part>
  );
}

function Add() {
  const { draft: domain, setDraft: setDomain, sent } = useDraft<string>("");
  const adding = useChange();
  const refusal = useRefusal("admin");
  const add = async (event?: Event) => {
    event?.preventDefault();
    if (refusal || adding.isBusy || !domain.trim()) return;
    const work = (attempt: Try) => change("v2/workspace/domains/add", { domains: [domain.trim()] }, attempt);
    if (await adding.run(work, "Domain added.")) sent(domain);
  };
  return (
    <form class="row bottom" onSubmit={(event) => void add(event)}>
      <Field label="Another domain" value={domain} onValue={setDomain} placeholder="app.example.com" />
      <button type="submit" title={refusal} aria-disabled={refusal ? "true" : undefined}>
        Add
      </button>
      {adding.failure && <Failure failure={adding.failure} retry={() => void add()} />}
    </form>
  );
}

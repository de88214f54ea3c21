import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { change } from "../api.ts";
import { useChange } from "../components/action.tsx";
import { Failure } from "../components/failure.tsx";
import { Field } from "../components/fields.tsx";
import { Part } from "../components/head.tsx";
import { plural } from "../format.ts";
import { address } from "../places.ts";
import { useRefusal } from "../session.ts";
import type { Try } from "../try.ts";
import { deliveredTypes } from "./event-types.ts";
import { type Endpoint, webhooks } from "./webhook-types.ts";

/** The form for another endpoint. It leads to the page of the endpoint, which says what to do next. */
export function EndpointAdd() {
  const { route } = useLocation();
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const [filterTypes, setFilterTypes] = useState<string[]>([]);
  const adding = useChange();
  const refusal = useRefusal("admin");
  const add = async (event?: Event) => {
    event?.preventDefault();
    if (refusal || adding.isBusy) return;
    const data = {
      url: url.trim(),
      ...(description && { description }),
      ...(filterTypes.length > 0 && { filterTypes }),
    };
    const work = async (attempt: Try) => {
      const { id } = await change<Endpoint>(`${webhooks}/endpoints/create`, data, attempt);
      route(address("/console/webhooks", { endpoint: id }));
    };
    await adding.run(work, "Endpoint added.");
  };
  return (
    <Part title="Add an endpoint">
      <p class="quiet">
        Each event is sent there as a signed request. Its page then has the secret, and says how to verify a request.
      </p>
      <form class="card stack" onSubmit={(event) => void add(event)}>
        <div class="filters wide">
          <Field
            label="URL"
            type="url"
            value={url}
            onValue={setUrl}
            placeholder="https://example.com/hooks"
            isRequired
          />
          <Field label="Description" value={description} onValue={setDescription} placeholder="optional" />
        </div>
        <EventChoice chosen={filterTypes} onChosen={setFilterTypes} />
        <div>
          <button type="submit" class="main" title={refusal} aria-disabled={refusal ? "true" : undefined}>
            Add endpoint
          </button>
        </div>
        {adding.failure && <Failure failure={adding.failure} retry={() => void add()} />}
      </form>
    </Part>
  );
}

function EventChoice({ chosen, onChosen }: { chosen: string[]; onChosen: (types: string[]) => void }) {
  const toggle = (type: string) =>
    onChosen(chosen.includes(type) ? chosen.filter((each) => each !== type) : [...chosen, type]);
  return (
    <details>
      <summary>
        <span class="title">Events</span>{" "}
        <small class="quiet">
          {chosen.length === 0 ? "All events are sent. Choose some to get only these." : plural(chosen.length, "type")}
        </small>
      </summary>
      <div class="flags">
        {deliveredTypes.map((type) => (
          <label key={type} class="check">
            <input type="checkbox" checked={chosen.includes(type)} onChange={() => toggle(type)} />
            <span>{type}</span>
          </label>
        ))}
      </div>
    </details>
  );
}

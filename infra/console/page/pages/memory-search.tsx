import { useState } from "preact/hooks";
import { load } from "../api.ts";
import { Changed } from "../components/changed.tsx";
import { Field } from "../components/fields.tsx";
import { Part } from "../components/head.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Tag } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { inWords } from "../format.ts";
import { useLive } from "../live.ts";
import { type Judgment, partialNote, recordAddress } from "./memory-types.ts";

export function Search() {
  const [text, setText] = useState("");
  const [query, setQuery] = useState("");
  const live = useLive(query ? ["search", query] : undefined, (signal) =>
    load<{ judgments: Judgment[]; partial?: true }>("v2/memory/search", { query }, signal),
  );
  const search = (event: Event) => {
    event.preventDefault();
    setQuery(text.trim());
  };
  return (
    <Part title="Search judgments">
      <form class="row bottom wide" onSubmit={search}>
        <Field label="Words" type="search" value={text} onValue={setText} placeholder="For example: launch date" />
        <button type="submit">Search</button>
      </form>
      {query ? (
        <Loaded live={live}>
          {({ judgments, partial }) => (
            <>
              {partial && <p class="quiet">{partialNote}</p>}
              {judgments.length === 0 ? (
                <Empty title={`No judgment is about “${query}”.`} />
              ) : (
                <Judgments judgments={judgments} />
              )}
            </>
          )}
        </Loaded>
      ) : (
        <p class="quiet">A search finds what people decided, and why. It calls no language model.</p>
      )}
    </Part>
  );
}

function Judgments({ judgments }: { judgments: Judgment[] }) {
  return (
    <ul class="rows" aria-label="Judgments">
      {judgments.map((each) => (
        <Changed key={each.recordId} of={each}>
          <Tag>{inWords(each.decision)}</Tag>
          <a class="title grow" href={recordAddress(each.recordId)}>
            {each.reasoning}
          </a>
          <span class="quiet">{each.actionUser.name || each.actionUser.userId}</span>
          <Time at={each.createdAt} />
        </Changed>
      ))}
    </ul>
  );
}

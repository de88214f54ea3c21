import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { change, type KeyOf } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Filter } from "../components/fields.tsx";
import { Empty, Loaded, Rows } from "../components/list.tsx";
import { Facts, Head, Part, Status, Tag, Time } from "../components/page.tsx";
import { inWords, plural } from "../format.ts";
import { seldomMs, useCall, useList } from "../live.ts";
import { address, documentAddress } from "../places.ts";
import type { PersonShown } from "../types.ts";

const path = "/console/memory";

/** What the workspace has decided and read. */
export function Memory() {
  const { record, source } = useLocation().query;
  if (record) return <JudgmentView key={record} recordId={record} />;
  if (source) return <SourceView key={source} sourceId={source} />;
  return (
    <>
      <Head title="Memory" />
      <Search />
      <Sources />
    </>
  );
}

interface Judgment {
  recordId: string;
  decision: string;
  reasoning: string;
  actionUser: PersonShown;
  organizationId?: string;
  documentId?: string;
  createdAt: string;
}

function Search() {
  const [query, setQuery] = useState("");
  const search = query ? "v2/memory/search" : undefined;
  const live = useCall<{ judgments: Judgment[]; partial?: true }>(search, { query }, seldomMs);
  return (
    <Part title="Judgments">
      <p class="quiet">A search finds what people decided, and why. It calls no language model.</p>
      <Filter label="Words" value={query} onValue={setQuery} options={[]} />
      {query && (
        <Loaded live={live}>
          {({ judgments, partial }) => (
            <>
              {partial && <p class="notice">Not all of the memory was searched. The next call searches more.</p>}
              {judgments.length === 0 && <Empty title={`No judgment is about “${query}”.`} />}
              <ul class="rows" aria-label="Judgments" hidden={judgments.length === 0}>
                {judgments.map((each) => (
                  <li key={each.recordId}>
                    <Tag>{inWords(each.decision)}</Tag>
                    <a class="grow" href={address(path, { record: each.recordId })}>
                      {each.reasoning}
                    </a>
                    <span class="quiet">{each.actionUser.name || each.actionUser.userId}</span>
                    <Time at={each.createdAt} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </Loaded>
      )}
    </Part>
  );
}

function JudgmentView({ recordId }: { recordId: string }) {
  const { route } = useLocation();
  const live = useCall<{ judgments: Judgment[] }>("v2/memory/judgments/get", { recordIds: [recordId] });
  const judgment = live.data?.judgments[0];
  const remove = async (keyOf: KeyOf) => {
    await change("v2/memory/judgments/delete", { recordIds: [recordId] }, keyOf);
    route(path);
  };
  return (
    <>
      <Head title={judgment ? inWords(judgment.decision) : "Judgment"} trail={[[path, "Memory"]]}>
        {judgment && <Delete what="judgment" run={remove} />}
      </Head>
      <Loaded live={live}>
        {() => (judgment ? <JudgmentFacts judgment={judgment} /> : <Empty title="There is no such judgment." />)}
      </Loaded>
    </>
  );
}

function JudgmentFacts({ judgment }: { judgment: Judgment }) {
  const { recordId, reasoning, actionUser, organizationId, documentId, createdAt } = judgment;
  const about = organizationId && documentId && <a href={documentAddress(organizationId, documentId)}>{documentId}</a>;
  return (
    <Facts
      of={{
        Reasoning: <span class="wrap">{reasoning}</span>,
        "Decided by": actionUser.name || actionUser.userId,
        About: about,
        When: <Time at={createdAt} />,
        Id: <code>{recordId}</code>,
      }}
    />
  );
}

/** No later answer of a model uses what is deleted. */
function Delete({ what, run }: { what: string; run: (keyOf: KeyOf) => Promise<void> }) {
  const ask = { title: `Delete this ${what}?`, text: "No later answer uses it. Nobody can bring it back." };
  return (
    <Action scope="write" isBad run={run} done="Deleted." ask={ask}>
      Delete
    </Action>
  );
}

interface Source {
  sourceId: string;
  fileName?: string;
  organizationId?: string;
  mimeType: string;
  createdAt: string;
  chunkCount: number;
}

/** The files that the memory has read. */
function Sources() {
  const list = useList<Source>("v2/memory/knowledge/list", "sources", {});
  return (
    <Part title="Knowledge sources">
      <Rows label="Knowledge sources" list={list} empty={<Empty title="No knowledge sources yet." />}>
        {({ sourceId, fileName, organizationId, mimeType, chunkCount, createdAt }) => (
          <li key={sourceId}>
            <a class="grow" href={address(path, { source: sourceId })}>
              {fileName || sourceId}
            </a>
            {organizationId && <span class="quiet">{organizationId}</span>}
            <span class="quiet">{mimeType}</span>
            <Status>{plural(chunkCount, "passage")}</Status>
            <Time at={createdAt} />
          </li>
        )}
      </Rows>
    </Part>
  );
}

interface Passage {
  recordId: string;
  fileName?: string;
  text: string;
}

function SourceView({ sourceId }: { sourceId: string }) {
  const { route } = useLocation();
  const list = useList<Passage>("v2/memory/knowledge/get", "passages", { sourceId });
  const remove = async (keyOf: KeyOf) => {
    await change("v2/memory/knowledge/delete", { sourceIds: [sourceId] }, keyOf);
    route(path);
  };
  return (
    <>
      <Head title={list.items?.[0]?.fileName || sourceId} trail={[[path, "Memory"]]}>
        <Delete what="source" run={remove} />
      </Head>
      <Rows label="Passages" list={list} empty={<Empty title="The source has no passages." />}>
        {({ recordId, text }) => (
          <li key={recordId}>
            <p class="wrap grow">{text}</p>
            <code class="quiet">{recordId}</code>
          </li>
        )}
      </Rows>
    </>
  );
}

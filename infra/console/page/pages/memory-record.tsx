import { useLocation } from "preact-iso";
import { change, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Head } from "../components/head.tsx";
import { Person } from "../components/person.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Time } from "../components/time.tsx";
import { inWords } from "../format.ts";
import { useLive } from "../live.ts";
import { address } from "../places.ts";
import type { Try } from "../try.ts";
import { Source } from "./memory-knowledge.tsx";
import { type Judgment, memoryPath } from "./memory-types.ts";

/** A passage of a source has the source's id and a number. */
const passage = /^(?<sourceId>.+)\.\d+$/;

/** What a citation names: a judgment, or a passage of a knowledge source. */
export function RecordView({ recordId }: { recordId: string }) {
  const live = useLive(["judgment", recordId], (signal) =>
    load<{ judgments: Judgment[] }>("v2/memory/judgments/get", { recordIds: [recordId] }, signal),
  );
  const judgment = live.data?.judgments[0];
  const sourceId = passage.exec(recordId)?.groups?.sourceId;
  if (live.data && !judgment && sourceId) return <Source sourceId={sourceId} recordId={recordId} />;
  return (
    <>
      <Head title={judgment ? inWords(judgment.decision) : "Record"} trail={[[memoryPath, "Memory"]]}>
        {judgment && <Delete recordId={recordId} />}
      </Head>
      <Loaded live={live}>
        {() =>
          judgment ? (
            <JudgmentFacts judgment={judgment} />
          ) : (
            <Empty title="There is no such record.">
              <p>
                It may have been deleted. <a href={memoryPath}>Ask the memory</a>.
              </p>
            </Empty>
          )
        }
      </Loaded>
    </>
  );
}

function Delete({ recordId }: { recordId: string }) {
  const { route } = useLocation();
  const remove = async (attempt: Try) => {
    await change("v2/memory/judgments/delete", { recordIds: [recordId] }, attempt);
    route(memoryPath);
  };
  return (
    <Action
      scope="write"
      tone="bad"
      run={remove}
      done="Judgment deleted."
      ask={{
        title: "Delete this judgment?",
        text: "No later answer uses it. Nobody can bring it back.",
        confirm: "Delete judgment",
      }}
    >
      Delete
    </Action>
  );
}

function JudgmentFacts({ judgment }: { judgment: Judgment }) {
  const { recordId, reasoning, actionUser, organizationId, documentId, createdAt } = judgment;
  return (
    <div class="card stack">
      <p class="wrap">{reasoning}</p>
      <dl class="facts">
        <dt>Decided by</dt>
        <dd>
          <Person person={actionUser} organizationId={organizationId} />
        </dd>
        {organizationId && documentId && (
          <>
            <dt>About</dt>
            <dd>
              <a href={address("/console/documents", { org: organizationId, document: documentId })}>{documentId}</a>
            </dd>
          </>
        )}
        <dt>When</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>Record</dt>
        <dd>
          <code>{recordId}</code>
        </dd>
      </dl>
    </div>
  );
}

import { useState } from "preact/hooks";
import { load } from "../api.ts";
import { useChange } from "../components/action.tsx";
import { Curl } from "../components/curl.tsx";
import { Failure } from "../components/failure.tsx";
import { Field } from "../components/fields.tsx";
import { Part } from "../components/head.tsx";
import { Empty, Loading } from "../components/states.tsx";
import { Status } from "../components/status.tsx";
import { plural } from "../format.ts";
import { useRefusal } from "../session.ts";
import { partialNote, recordAddress } from "./memory-types.ts";

interface Answer {
  answer: string;
  citations: { recordId: string; snippet: string; verified: boolean }[];
  confidence: number;
  recordsSearched: number;
  partial?: true;
}

/** A question, and an answer whose citations lead to their records. */
export function Ask() {
  const [question, setQuestion] = useState("");
  const [answer, setAnswer] = useState<Answer>();
  const asking = useChange();
  const refusal = useRefusal("write");
  const ask = async (event?: Event) => {
    event?.preventDefault();
    if (refusal || asking.isBusy || !question.trim()) return;
    await asking.run(async ({ signal }) => setAnswer(await load<Answer>("v2/memory/ask", { question }, signal)));
  };
  return (
    <Part title="Ask the memory">
      <form class="row bottom wide" onSubmit={(event) => void ask(event)}>
        <Field
          label="Question"
          type="search"
          value={question}
          onValue={setQuestion}
          placeholder="For example: Why is the launch in March?"
        />
        <button
          type="submit"
          class="main"
          title={refusal}
          aria-disabled={refusal || asking.isBusy ? "true" : undefined}
        >
          Ask
        </button>
      </form>
      <p class="quiet">
        The answer cites what it stands on: judgments, which are decisions of people with their reasons, and passages of
        files. A question calls a language model with the workspace's key. {refusal}
      </p>
      {asking.failure && <Failure failure={asking.failure} retry={() => void ask()} />}
      {asking.isBusy && <Loading />}
      {!asking.isBusy && answer && <Answered answer={answer} />}
    </Part>
  );
}

function Answered({ answer: { answer, citations, confidence, recordsSearched, partial } }: { answer: Answer }) {
  if (recordsSearched === 0) {
    const judgment = {
      decision: "approved",
      reasoning: "March: the printers need six weeks.",
      actionUser: { userId: "alice" },
    };
    return (
      <Empty title="The memory is empty.">
        <p>It answers from judgments and from files. Add the first judgment:</p>
        <Curl path="v2/memory/judgments/add" data={{ judgments: [judgment] }} />
      </Empty>
    );
  }
  return (
    <div class="card stack" role="status">
      <p class="wrap">{answer}</p>
      {citations.length > 0 && (
        <ul class="stack" aria-label="Citations">
          {citations.map(({ recordId, snippet, verified }) => (
            <li key={recordId} class="citation">
              <span class="wrap">“{snippet}”</span>{" "}
              {verified ? (
                <Status tone="good">stands in the record</Status>
              ) : (
                <Status tone="warn">not in the record</Status>
              )}{" "}
              <a href={recordAddress(recordId)}>Open the record</a>
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        Confidence {Math.round(confidence * 100)} %, from {plural(recordsSearched, "record")}.
        {partial && ` ${partialNote}`}
      </p>
    </div>
  );
}

import { useEffect, useState } from "preact/hooks";
import { type KeyOf, type RawReply, tryOut } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Choice } from "../components/fields.tsx";
import { Code, Inline, Markdown } from "../components/markdown.tsx";
import { Facts, Head, Json, Part, Status } from "../components/page.tsx";
import { type Entry, jsonOf, type OpenApi, resolved } from "./reference-document.ts";
import { Fields } from "./reference-fields.tsx";

export function OperationView({ document, entry }: { document: OpenApi; entry: Entry }) {
  useEffect(() => scrollTo(0, 0), []);
  const { method, path, operation } = entry;
  const { requestBody, parameters = [] } = operation;
  const responses = Object.entries(operation.responses).map(([status, each]) => ({
    status,
    ...resolved(document, each),
  }));
  const reply = jsonOf(responses.find(({ status }) => status === "200") ?? {});
  const known = parameters.map((each) => resolved(document, each));
  const asFields = {
    properties: Object.fromEntries(known.map(({ name, schema, description }) => [name, { ...schema, description }])),
    required: known.filter((each) => each.required).map(({ name }) => name),
  };
  const sent = requestBody && jsonOf(requestBody);
  return (
    <>
      <Head title={operation.summary} />
      <div class="stack part">
        <code>{path === undefined ? `${method} to your webhook endpoint` : `${method} ${path}`}</code>
        <Markdown text={operation.description} />
      </div>
      {operation["x-codeSamples"] && <Samples samples={operation["x-codeSamples"]} />}
      {/* A call whose reply is a page is for the person who follows a link in a mail. */}
      {path !== undefined && reply && <TryIt {...entry} path={path} />}
      {(sent || known.length > 0) && (
        <Part title={path === undefined ? "Message" : "Request"}>
          {known.length > 0 && <h3>{known.some((each) => each.in === "path") ? "In the path" : "Headers"}</h3>}
          {known.length > 0 && <Fields document={document} schema={asFields} />}
          {sent && <h3>Body</h3>}
          {sent && <Fields document={document} schema={sent.schema} levels={1} />}
          {path === undefined && <h3>Example</h3>}
          {path === undefined && <Json label="Example of the message" value={sent?.example} />}
        </Part>
      )}
      {reply && (
        <Part title="Reply">
          <Fields document={document} schema={reply.schema} levels={2} />
          <h3>Example</h3>
          <Json label="Example of the reply" value={reply.example} />
        </Part>
      )}
      <Part title={path === undefined ? "Your reply" : "Statuses"}>
        <Facts
          of={Object.fromEntries(responses.map(({ status, description }) => [status, <Inline text={description} />]))}
        />
      </Part>
    </>
  );
}

/** The reader's language, for all operations. */
let language = "curl";

function Samples({ samples }: { samples: NonNullable<Entry["operation"]["x-codeSamples"]> }) {
  const [wanted, setWanted] = useState(language);
  const shown = samples.find(({ label }) => label === wanted) ?? samples[0];
  const choose = (label: string) => {
    language = label;
    setWanted(label);
  };
  const options = samples.map(({ label }) => [label, label] as const);
  return (
    <Part
      title="Sample"
      aside={<Choice label="Language" value={shown?.label ?? ""} onValue={choose} options={options} />}
    >
      <Code text={shown?.source ?? ""} />
    </Part>
  );
}

/** Sends the call as it stands here. The console adds the keys, and refuses what this window may not do. */
function TryIt({ method, path, operation }: Entry & { path: string }) {
  const { requestBody } = operation;
  const [body, setBody] = useState(requestBody && JSON.stringify(jsonOf(requestBody)?.example, undefined, 2));
  const [reply, setReply] = useState<RawReply>();
  const send = async (keyOf: KeyOf) => {
    setReply(undefined);
    setReply(await tryOut(method, path, body, keyOf));
  };
  return (
    <Part title="Try it">
      <div class="stack try">
        {body !== undefined && (
          <label class="field">
            <span>Body. Ctrl and Enter send it</span>
            <textarea
              rows={12}
              value={body}
              onInput={(event) => setBody(event.currentTarget.value)}
              onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
                if (key !== "Enter" || !(ctrlKey || metaKey)) return;
                currentTarget.closest(".try")?.querySelector("button")?.click();
              }}
            />
          </label>
        )}
        <div class="row">
          <Action scope="read" run={send}>
            Send
          </Action>
          {reply && <Status tone={reply.status < 400 ? "good" : "bad"}>HTTP {reply.status}</Status>}
        </div>
      </div>
      {reply && <Json label="Reply of the call" value={reply.content} />}
    </Part>
  );
}

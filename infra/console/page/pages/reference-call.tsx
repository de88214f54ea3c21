import { useState } from "preact/hooks";
import { type ApiFailure, type RawReply, tryOut } from "../api.ts";
import { Failure } from "../components/failure.tsx";
import { LongField } from "../components/fields.tsx";
import { Part } from "../components/head.tsx";
import { Json } from "../components/json.tsx";
import { Status } from "../components/status.tsx";
import { type Entry, jsonOf } from "./reference-document.ts";

/** Sends the call as it stands here. The console adds the keys, so a path keeps the place of the API key. */
export function TryIt({ method, path, operation }: Entry & { path: string }) {
  const { requestBody } = operation;
  const [body, setBody] = useState(requestBody && JSON.stringify(jsonOf(requestBody)?.example, undefined, 2));
  const [isSending, setSending] = useState(false);
  const [reply, setReply] = useState<RawReply>();
  const [failure, setFailure] = useState<ApiFailure>();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    setFailure(undefined);
    try {
      setReply(await tryOut(method, path, body));
    } catch (thrown) {
      setFailure(thrown as ApiFailure);
    }
    setSending(false);
  };
  return (
    <Part title="Try it">
      <form class="stack try" onSubmit={(event) => void submit(event)}>
        {body !== undefined && <LongField label="Body" value={body} onValue={setBody} />}
        <div class="row">
          <button type="submit" class="main" aria-disabled={isSending ? "true" : undefined}>
            Send
          </button>
          {reply && <Status tone={reply.status < 400 ? "good" : "bad"}>HTTP {reply.status}</Status>}
        </div>
      </form>
      {failure && <Failure failure={failure} />}
      {reply && <Json label="Reply of the call" value={reply.content} />}
    </Part>
  );
}

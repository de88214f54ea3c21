import { useState } from "preact/hooks";
import { type ApiFailure, failureOf, type RawReply, tryOut } from "../api.ts";
import { Failure } from "../components/list.tsx";
import { Part } from "../components/page.tsx";
import { Json, Status } from "../components/text.tsx";
import { type Entry, jsonOf } from "./reference-document.ts";

/** Sends the call as it stands here. The console adds the keys, so a path keeps the place of the API key. */
export function TryIt({ method, path, operation }: Entry & { path: string }) {
  const { requestBody } = operation;
  const [body, setBody] = useState(requestBody && JSON.stringify(jsonOf(requestBody)?.example, undefined, 2));
  const [isSending, setSending] = useState(false);
  const [reply, setReply] = useState<RawReply>();
  const [failure, setFailure] = useState<ApiFailure>();
  const send = async () => {
    if (isSending) return;
    setSending(true);
    setFailure(undefined);
    try {
      setReply(await tryOut(method, path, body));
    } catch (thrown) {
      setFailure(failureOf(thrown));
    }
    setSending(false);
  };
  return (
    <Part title="Try it">
      <div class="stack try">
        {body !== undefined && (
          <label class="field">
            <span>Body</span>
            <textarea rows={12} value={body} onInput={(event) => setBody(event.currentTarget.value)} />
          </label>
        )}
        <div class="row">
          <button type="button" class="main" onClick={() => void send()} aria-disabled={isSending ? "true" : undefined}>
            Send
          </button>
          {reply && <Status tone={reply.status < 400 ? "good" : "bad"}>HTTP {reply.status}</Status>}
        </div>
      </div>
      {failure && <Failure failure={failure} retry={() => void send()} />}
      {reply && <Json label="Reply of the call" value={reply.content} />}
    </Part>
  );
}

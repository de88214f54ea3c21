import { useState } from "preact/hooks";
import { type KeyOf, type RawReply, tryOut } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Part } from "../components/page.tsx";
import { Json, Status } from "../components/text.tsx";
import { type Entry, jsonOf } from "./reference-document.ts";

/** Sends the call as it stands here. The console adds the keys, and refuses what this window may not do. */
export function TryIt({ method, path, operation }: Entry & { path: string }) {
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
            <span>Body</span>
            <textarea rows={12} value={body} onInput={(event) => setBody(event.currentTarget.value)} />
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

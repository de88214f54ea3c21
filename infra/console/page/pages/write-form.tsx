import type { ComponentChildren } from "preact";
import { useChange } from "../components/action.tsx";
import { Failure } from "../components/failure.tsx";
import { LongField } from "../components/fields.tsx";
import type { PersonShown } from "../components/person.tsx";
import { useDraft } from "../draft.ts";
import { useRefusal } from "../session.ts";
import type { Try } from "../try.ts";

interface WriteFormProps {
  /** What is written, such as "Reply". */
  label: string;
  /** Of the button. */
  action: string;
  /** Announced when it is done. */
  done: string;
  author: PersonShown | undefined;
  send: (attempt: Try, text: string, author: PersonShown) => Promise<unknown>;
  /** Further fields. */
  children?: ComponentChildren;
}

/** Writes a text as a user. What is typed while the former text is sent stays. */
export function WriteForm({ label, action, done, author, send, children }: WriteFormProps) {
  const { draft: text, setDraft: setText, sent } = useDraft<string>("");
  const sending = useChange();
  const refusal = useRefusal("write") ?? (author ? undefined : "The organization has no user who can write.");
  const submit = async (event?: Event) => {
    event?.preventDefault();
    if (refusal || !author || !text.trim() || sending.isBusy) return;
    if (await sending.run((attempt) => send(attempt, text, author), done)) sent(text);
  };
  return (
    <form class="reply" onSubmit={(event) => void submit(event)}>
      <LongField
        label={author ? `${label} as ${author.name || author.userId}` : label}
        value={text}
        onValue={setText}
      />
      {children}
      <button
        type="submit"
        class="main"
        title={refusal}
        aria-disabled={refusal || !text.trim() || sending.isBusy ? "true" : undefined}
      >
        {action}
      </button>
      {sending.failure && <Failure failure={sending.failure} retry={() => void submit()} />}
    </form>
  );
}

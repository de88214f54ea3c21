// Asks before something that cannot be undone.
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { store, useStore } from "../store.ts";
import type { Question } from "./action.tsx";
import { Dialog } from "./dialog.tsx";

const asked = store<(Question & { answer(yes: boolean): void }) | undefined>(undefined);

/** As a browser shows it: a text field has no line breaks, and a page shows one space for several. */
const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

export function confirmation(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      asked.set(undefined);
      resolve(yes);
    };
    asked.set({ ...question, answer });
  });
}

export function Confirm() {
  const { url } = useLocation();
  const question = useStore(asked);
  // Who leaves the page has not confirmed.
  useEffect(() => () => asked.get()?.answer(false), [url]);
  return question ? <Asked key={question.title} {...question} /> : null;
}

function Asked({ title, text, confirm, typed, answer }: Question & { answer(yes: boolean): void }) {
  const [words, setWords] = useState("");
  const isReady = typed === undefined || inOneLine(words) === inOneLine(typed);
  const submit = (event: Event) => {
    event.preventDefault();
    if (isReady) answer(true);
  };
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <form onSubmit={submit} class="stack">
        <h2>{title}</h2>
        <div>{text}</div>
        {typed !== undefined && (
          <label class="field">
            <span>
              To confirm, type <code>{typed}</code>
            </span>
            <input value={words} onInput={(event) => setWords(event.currentTarget.value)} autocomplete="off" />
          </label>
        )}
        <div class="row end">
          <button type="button" onClick={() => answer(false)}>
            Cancel
          </button>
          <button type="submit" class="bad" disabled={!isReady}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
